import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { BUILTIN_TEMPLATES } from '../../src/usecases/templates/builtin-templates.js'
import { renderTemplate, type TemplateValues } from '../../src/texts/render-template.js'
import { refusal } from '../usecases/service-parts.js'

const RENDER_TEMPLATE = new URL('../../src/texts/render-template.js', import.meta.url).href

describe('a template', () => {
  const renderingOf = (source: string, values: Partial<TemplateValues> = {}) => ({
    id: 't',
    source,
    values: { title: 'Title', content: '<p>Hi</p>', ...values },
    maxCharacters: 10_000,
  })
  /** However long that takes. */
  const render = (source: string, values: Partial<TemplateValues> = {}) =>
    renderTemplate(renderingOf(source, values), Infinity)

  it('escapes the title and inserts the content as html', () => {
    assert.equal(render('{{ title }}|{{content}}', { title: `<&>"'` }), '&lt;&amp;&gt;&#34;&#39;|<p>Hi</p>')
  })

  it('escapes the output of a filter on the content', () => {
    assert.equal(render('{{ content | append: "!" }}'), '&lt;p&gt;Hi&lt;/p&gt;!')
    assert.equal(render('{{ content | append: "!" | raw }}'), '<p>Hi</p>!')
  })

  it('renders each built-in template to a document with the title and the content', () => {
    assert.deepEqual([...BUILTIN_TEMPLATES.keys()], ['article', 'blank', 'landing'])
    for (const source of BUILTIN_TEMPLATES.values()) {
      const html = render(source)
      assert.match(html, /^<!doctype html>\n<html lang="en">/)
      assert.match(html, /<title>Title<\/title>/)
      assert.match(html, /\n<p>Hi<\/p>\n/)
    }
  })

  it('is rendered even if a busy machine keeps its process waiting', () => {
    // A process of its own, as the service has: threads of this one may work meanwhile.
    const program = `import { renderTemplate } from '${RENDER_TEMPLATE}'
      const values = {
        get title() {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
          return 'Title'
        },
        content: '<p>Hi</p>',
      }
      const source = '{{ title }}{% for i in (1..1000) %}.{% endfor %}{{ content }}'
      console.log(renderTemplate({ id: 't', source, values, maxCharacters: 10_000 }, 400))`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    assert.equal(stdout, `Title${'.'.repeat(1000)}<p>Hi</p>\n`, stderr)
  })

  const hostile: Record<string, string> = {
    'a file of this machine': '{% include "/etc/passwd" %}',
    'a template by path': '{% render "../../package.json" %}',
    'a layout': '{% layout "x" %}',
    'a loop without end': '{% for i in (1..1000000000) %}x{% endfor %}',
    'nested loops': '{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}',
    'doubling text': `{% assign a = "xxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`,
    'more than the limit': '{{ content }}'.repeat(2_000),
    'a filter that is not there': '{{ title | exec }}',
    'an open tag': '{% if title %}',
  }
  for (const [what, source] of Object.entries(hostile)) {
    // Some of these would take for ever.
    it(`is refused with ${what}`, () => {
      assert.throws(() => renderTemplate(renderingOf(source)), refusal('template_failed'))
    })
  }

  const manyItems = {
    characters: '{{ content | split: "" | sort | size }}',
    parts: '{{ content | split: "b" | sort | size }}',
    numbers: '{{ (1..100001) | sort | size }}',
  }
  for (const [what, source] of Object.entries(manyItems)) {
    it(`gives no filter more than 100,000 items, which are counted before the filter runs (${what})`, () => {
      const content = 'ba'.repeat(4_500_000)
      assert.throws(() => render(source, { content }), /"(split|sort)" has more than 100000 items/)
    })
  }

  it('counts the words of a long page', () => {
    const content = '<p>lorem ipsum</p> '.repeat(20_000)
    assert.equal(render('{{ content | strip_html | split: " " | size }}', { content }), '40000')
  })

  it('cannot read the prototypes of the values it is given', () => {
    assert.equal(render('[{{ content.constructor }}{{ title.constructor.constructor }}{{ content.valueOf }}]'), '[]')
  })
})
