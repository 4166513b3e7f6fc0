import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative, sep } from 'node:path'

/** The files of the playground, as altair-static brings them. */
export interface PlaygroundFiles {
  /** Undefined where there is no such file. `path` has slashes, and none in front. */
  read(path: string): Promise<{ readonly body: Buffer; readonly mediaType: string } | undefined>
  /** The page, with its other files below `base`, and with `script` run once they are loaded. */
  page(base: string, script: string): Promise<string>
}

/** Nothing that a browser would open as a page: the folder has pages that run what they are sent. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

export function createPlaygroundFiles(): PlaygroundFiles {
  const packageFile = createRequire(import.meta.url).resolve('altair-static/package.json')
  const folder = join(dirname(packageFile), 'build', 'dist')
  let listed: Promise<ReadonlySet<string>> | undefined

  /** Only what is listed is served, so that no path leads out of the folder. */
  const list = async (): Promise<ReadonlySet<string>> => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = found.filter((each) => each.isFile())
    return new Set(
      files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')),
    )
  }

  return {
    async read(path) {
      listed ??= list()
      const mediaType = mediaTypes[extname(path)]
      if (mediaType === undefined || !(await listed).has(path)) return undefined
      return { body: await readFile(join(folder, path)), mediaType }
    },
    async page(base, script) {
      const html = await readFile(join(folder, 'index.html'), 'utf8')
      return html
        .replace(/<base [^>]*>/, () => `<base href="${base}">`)
        .replace(/<img [^>]*\.svg"[^>]*>/g, '')
        .replace('<title>Altair</title>', '<title>GraphQL · Mortise</title>')
        .replace('</body>', () => `<script type="module" src="${script}"></script></body>`)
    },
  }
}
