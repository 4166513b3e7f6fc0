import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { build } from 'esbuild'
import { shownFiles } from '../../docs/shown-files.ts'

const folder = join(import.meta.dirname, '../../../examples/preview-site')

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
}

/** The site of the example, as a static server has it. */
export interface PreviewSite {
  readonly origin: string
  /** Names the service; pages that are asked for before fail. */
  use(cmsUrl: string): Promise<void>
  stop(): void
}

/** Starts a site on an origin of its own. `/silent.html` is a page without the bridge, `/note.html` that of docs/preview.md. */
export async function startPreviewSite(): Promise<PreviewSite> {
  const files = new Map<string, string>([
    [
      '/note.html',
      '<!doctype html><title>Note</title><h1></h1><script type="module" src="/note.js"></script>',
    ],
    ['/silent.html', '<!doctype html><title>Silent</title><h1>Silent</h1>'],
  ])
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = files.get(pathname)
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': mediaTypes[extname(pathname)] ?? 'text/plain',
    })
    response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async use(cmsUrl) {
      for (const name of ['article.html', 'style.css'])
        files.set(`/${name}`, await readFile(join(folder, name), 'utf8'))
      files.set('/article.js', await bundled('article.js', cmsUrl))
      files.set('/note.js', await bundledNote(cmsUrl))
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const common = { bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'error' } as const

/** The example of the documentation, for another panel than it names. */
async function bundledNote(cmsUrl: string): Promise<string> {
  const source = shownFiles('preview.md')['site/note.ts'] ?? ''
  const contents = source.replace('https://cms.example.com', cmsUrl)
  const { outputFiles } = await build({ stdin: { contents, loader: 'ts', resolveDir: folder }, ...common })
  return outputFiles[0]?.text ?? ''
}

async function bundled(name: string, cmsUrl: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, name)],
    define: { 'import.meta.env.VITE_CMS_URL': JSON.stringify(cmsUrl) },
    ...common,
  })
  return outputFiles[0]?.text ?? ''
}
