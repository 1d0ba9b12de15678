// What a deploy is held against: git's own server over HTTP, `git http-backend` behind nginx, as git-http-backend(1) sets it up.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isInstalled } from '../ground/load.js'
import { accepts, freePort } from '../ground/peers.js'

const BACKEND = '/usr/lib/git-core/git-http-backend'
const START_LIMIT_MS = 5000

export interface GitBackend {
  /** Makes an empty repository that anyone may push to, and answers its URL. */
  create(name: string): string
  /** Where that repository lies. */
  folderOf(name: string): string
  stop(): Promise<void>
}

/** Undefined where nginx or fcgiwrap is not installed. */
export async function startGitBackend(folder: string): Promise<GitBackend | undefined> {
  if (!(await isInstalled('nginx')) || !(await isInstalled('fcgiwrap')) || !existsSync(BACKEND)) return undefined
  const port = await freePort()
  const repositories = join(folder, 'repositories')
  mkdirSync(repositories)
  const socket = join(folder, 'fcgi.sock')
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, configOf(folder, port, socket, repositories))
  const children = [
    spawn('fcgiwrap', ['-c', '4', '-s', `unix:${socket}`], { stdio: 'ignore', detached: true }),
    spawn('nginx', ['-e', 'stderr', '-c', config], { stdio: 'ignore', detached: true }),
  ]
  const late = performance.now() + START_LIMIT_MS
  while (!existsSync(socket) || !(await accepts(port))) {
    if (performance.now() > late) throw new Error('nginx and fcgiwrap do not start')
    await sleep(50)
  }
  return {
    create(name) {
      const repository = join(repositories, `${name}.git`)
      execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', repository])
      execFileSync('git', ['-C', repository, 'config', 'http.receivepack', 'true'])
      return `http://127.0.0.1:${port}/${name}.git`
    },
    folderOf: (name) => join(repositories, `${name}.git`),
    async stop() {
      for (const child of children) {
        const ended = once(child, 'exit')
        // fcgiwrap leaves its workers running: each program leads a group, which is ended together.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
        await ended
      }
    },
  }
}

function configOf(folder: string, port: number, socket: string, repositories: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
    events { worker_connections 64; }
    http {
      ${temporary.join(' ')}
      access_log off; client_max_body_size 0;
      server {
        listen 127.0.0.1:${port};
        location / {
          fastcgi_pass unix:${socket};
          fastcgi_param SCRIPT_FILENAME ${BACKEND};
          fastcgi_param GIT_PROJECT_ROOT ${repositories};
          fastcgi_param GIT_HTTP_EXPORT_ALL "";
          fastcgi_param GIT_CONFIG_COUNT 1;
          fastcgi_param GIT_CONFIG_KEY_0 safe.directory;
          fastcgi_param GIT_CONFIG_VALUE_0 *;
          fastcgi_param HTTP_GIT_PROTOCOL $http_git_protocol;
          fastcgi_param PATH_INFO $uri;
          fastcgi_param QUERY_STRING $query_string;
          fastcgi_param REQUEST_METHOD $request_method;
          fastcgi_param CONTENT_TYPE $content_type;
          fastcgi_param CONTENT_LENGTH $content_length;
          fastcgi_param REMOTE_ADDR $remote_addr;
        }
      }
    }`
}
