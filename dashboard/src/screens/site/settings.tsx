// The settings of a site, and the facts about it and its workspace.

import { api, dataOf, type Me, type Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useTitle } from '../../browser/title.js'
import { formatBytes, formatTime } from '../../format.js'
import { Age } from '../../parts/age.js'
import { Allowed } from '../../parts/allowed.js'
import { Facts } from '../../parts/facts.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { Await } from '../../parts/state.js'
import { DeleteSite } from './delete-site.js'
import { MirrorPanel } from './mirror.js'
import { Repository } from './repository.js'
import { SettingBox } from './setting-box.js'
import { SiteLinks } from './site-links.js'
import { WorkspaceUsage } from './workspace-usage.js'

interface SettingsScreenProps {
  site: Site
  me: Me
  onChanged: (site: Site) => void
}

export function SettingsScreen({ site, me, onChanged }: SettingsScreenProps) {
  useTitle('Settings', site.slug)
  const update = async (body: {
    isDefault?: true
    publicHistory?: boolean
    markdown?: boolean
    search?: boolean
    publicRepository?: boolean
  }) => {
    try {
      onChanged(dataOf(await api.PATCH('/sites/{id}', { params: { path: { id: site.id } }, body })))
      notify('The settings are saved.')
    } catch (error) {
      notifyFailure(error)
      // Resets the controls to the stored values.
      onChanged({ ...site })
    }
  }
  return (
    <>
      <div class="bar">
        <h2 class="grow">Settings</h2>
      </div>
      <SiteFacts site={site} />
      <PublicHistory site={site} onToggle={(publicHistory) => void update({ publicHistory })} />
      <MarkdownPages site={site} onToggle={(markdown) => void update({ markdown })} />
      <VisitorSearch site={site} onToggle={(search) => void update({ search })} />
      <Repository site={site} onToggle={(publicRepository) => void update({ publicRepository })} />
      <Allowed to="manage">
        <MirrorPanel site={site} />
        <DefaultSite site={site} onChoose={() => void update({ isDefault: true })} />
      </Allowed>
      <SiteLinks site={site} />
      <section class="panel">
        <h3>Workspace</h3>
        <Facts
          facts={[
            ['Name', me.workspace.name],
            ['Id', <code>{me.workspace.id}</code>],
            ['Created', formatTime(me.workspace.createdAt)],
          ]}
        />
      </section>
      <WorkspaceUsage />
      <Allowed to="manage">
        <DeleteSite site={site} />
      </Allowed>
    </>
  )
}

function SiteFacts({ site }: { site: Site }) {
  const loaded = useLoaded<Site>(`facts ${site.id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}', { params: { path: { id: site.id } }, signal })),
  )
  return (
    <section class="panel">
      <h3>Site</h3>
      <Await of={loaded}>
        {({ id, slug, createdAt, usage }) => (
          <Facts
            facts={[
              ['Slug', `${slug} (it never changes)`],
              ['Id', <code>{id}</code>],
              ['Created', formatTime(createdAt)],
              ['Published pages', usage?.pages],
              ['Last change', usage && <Age of={usage.lastChangeAt} />],
              ['Storage, history included', usage && formatBytes(usage.storageBytes)],
            ]}
          />
        )}
      </Await>
    </section>
  )
}

function PublicHistory({ site, onToggle }: { site: Site; onToggle: (publicHistory: boolean) => void }) {
  return (
    <section class="panel">
      <h3>Public history</h3>
      <label>
        <SettingBox isOn={site.publicHistory} onToggle={onToggle} /> Everybody can see the site as it was at each commit
      </label>
      <p class="hint">What was unpublished stays hidden. Without this, people need a link that you make for them.</p>
    </section>
  )
}

function MarkdownPages({ site, onToggle }: { site: Site; onToggle: (markdown: boolean) => void }) {
  return (
    <section class="panel">
      <h3>Markdown</h3>
      <label>
        <SettingBox isOn={site.markdown} onToggle={onToggle} /> Programs can read pages as Markdown
      </label>
      <p class="hint">
        Each page answers <code>Accept: text/markdown</code> and <code>.md</code> after its path, and{' '}
        <code>/llms.txt</code> lists them. Browsers see no difference.
      </p>
    </section>
  )
}

function VisitorSearch({ site, onToggle }: { site: Site; onToggle: (search: boolean) => void }) {
  return (
    <section class="panel">
      <h3>Search</h3>
      <label>
        <SettingBox isOn={site.search} onToggle={onToggle} /> Visitors can search the pages
      </label>
      <p class="hint">
        At <a href={`${site.url}/_search`}>/_search</a>. It finds what is published and nothing else.
      </p>
    </section>
  )
}

function DefaultSite({ site, onChoose }: { site: Site; onChoose: () => void }) {
  return (
    <section class="panel">
      <h3>Default site</h3>
      <p>Requests that name no site use the default site of the workspace.</p>
      {site.isDefault ? (
        <p class="hint">This is the default site.</p>
      ) : (
        <button type="button" onClick={onChoose}>
          Make this the default site
        </button>
      )}
    </section>
  )
}
