# Works with a site as dulwich does (Debian's python3-dulwich): clone, fetch, shallow, push, tag. Prints a line for each: its name and
# "ok", or what went wrong. Arguments: the URL with the key, the folder for clones, the name of the page.

import sys
from dulwich import porcelain
from dulwich.repo import Repo

url, folder, name = sys.argv[1:]
WHO = b"Dora Dulwich <dora@example.org>"


def attempt(step, work):
    try:
        print(step, work() or "ok", flush=True)
    except Exception as error:
        print(step, type(error).__name__, " ".join(str(error).split()), flush=True)


def clone():
    porcelain.clone(url, f"{folder}/whole", errstream=porcelain.NoneStream())
    porcelain.clone(url, f"{folder}/behind", errstream=porcelain.NoneStream())


def push():
    with open(f"{folder}/whole/{name}.html", "w") as page:
        page.write(f"<p>by {name}")
    porcelain.add(f"{folder}/whole", paths=[f"{folder}/whole/{name}.html"])
    porcelain.commit(f"{folder}/whole", message=b"Add a page", author=WHO, committer=WHO)
    porcelain.push(f"{folder}/whole", url, "refs/heads/main", errstream=porcelain.NoneStream())


def fetch():
    porcelain.fetch(f"{folder}/behind", url, errstream=porcelain.NoneStream())
    head = Repo(f"{folder}/whole").head()
    assert head in Repo(f"{folder}/behind").object_store, "the new commit did not come"


def shallow():
    porcelain.clone(url, f"{folder}/shallow", depth=1, errstream=porcelain.NoneStream())
    assert Repo(f"{folder}/shallow").get_shallow(), "it is not shallow"


def tag():
    porcelain.tag_create(f"{folder}/whole", name.encode(), author=WHO, message=b"Tag", annotated=True)
    ref = f"refs/tags/{name}"
    porcelain.push(f"{folder}/whole", url, f"{ref}:{ref}", errstream=porcelain.NoneStream())


for step, work in (("clone", clone), ("push", push), ("fetch", fetch), ("shallow", shallow), ("tag", tag)):
    attempt(step, work)
print("partial none\noptions none")
