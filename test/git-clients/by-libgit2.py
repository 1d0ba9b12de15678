# Works with a site as libgit2 does (Debian's python3-pygit2): clone, fetch, push, tag. Prints a line for each: its name and "ok", or what
# went wrong. Arguments: the URL with the key, the folder for clones, the name of the page.

import sys
from urllib.parse import urlsplit
import pygit2

url, folder, name = sys.argv[1:]
WHO = pygit2.Signature("Lin Libgit", "lin@example.org")
MAIN = "refs/heads/main"


class Callbacks(pygit2.RemoteCallbacks):
    def credentials(self, url, username, allowed):
        return pygit2.UserPass("any", urlsplit(sys.argv[1]).password)

    # The certificate of this run signs itself.
    def certificate_check(self, certificate, valid, host):
        return True

    def push_update_reference(self, ref, message):
        if message is not None:
            raise RuntimeError(f"{ref}: {message}")


def attempt(step, work):
    try:
        print(step, work() or "ok", flush=True)
    except Exception as error:
        print(step, type(error).__name__, " ".join(str(error).split()), flush=True)


def clone():
    for place in ("whole", "behind"):
        pygit2.clone_repository(url, f"{folder}/{place}", callbacks=Callbacks())


def push():
    whole = pygit2.Repository(f"{folder}/whole")
    with open(f"{folder}/whole/{name}.html", "w") as page:
        page.write(f"<p>by {name}")
    whole.index.add(f"{name}.html")
    whole.index.write()
    whole.create_commit(MAIN, WHO, WHO, "Add a page", whole.index.write_tree(), [whole.head.target])
    whole.remotes["origin"].push([MAIN], callbacks=Callbacks())


def fetch():
    behind = pygit2.Repository(f"{folder}/behind")
    behind.remotes["origin"].fetch(callbacks=Callbacks())
    assert pygit2.Repository(f"{folder}/whole").head.target in behind, "the new commit did not come"


def tag():
    whole = pygit2.Repository(f"{folder}/whole")
    whole.create_tag(name, whole.head.target, pygit2.GIT_OBJ_COMMIT, WHO, "Tag")
    whole.remotes["origin"].push([f"refs/tags/{name}"], callbacks=Callbacks())


for step, work in (("clone", clone), ("push", push), ("fetch", fetch), ("tag", tag)):
    attempt(step, work)
print("shallow none\npartial none\noptions none")
