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
  /** The tokens by which pages were rendered, the last one at the end. */
  readonly tokens: readonly string[]
  /** From now on, this token renders nothing. */
  expire(token: string): void
  stop(): void
}

/**
 * Starts a site on an origin of its own. `/silent.html` is a page without the bridge, `/note.html` that of docs/preview.md.
 * `/rendered` and `/plain` are made by the server, with the bridge and without it.
 */
export async function startPreviewSite(): Promise<PreviewSite> {
  const files = new Map<string, string>([
    [
      '/note.html',
      '<!doctype html><title>Note</title><h1></h1><script type="module" src="/note.js"></script>',
    ],
    ['/silent.html', '<!doctype html><title>Silent</title><h1>Silent</h1>'],
  ])
  const tokens: string[] = []
  const expired = new Set<string>()
  let cms = ''
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/rendered' || pathname === '/plain') {
      const token = searchParams.get('token') ?? ''
      tokens.push(token)
      const title = expired.has(token) ? undefined : await titleOf(cms, searchParams, token)
      response.writeHead(title === undefined ? 401 : 200, { 'content-type': 'text/html' })
      const script = pathname === '/plain' ? '' : '<script type="module" src="/rendered.js"></script>'
      response.end(title === undefined ? '' : `<!doctype html><title>Page</title><h1>${title}</h1>${script}`)
      return
    }
    const file = files.get(pathname)
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': mediaTypes[extname(pathname)] ?? 'text/plain',
    })
    response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens,
    expire: (token) => void expired.add(token),
    async use(cmsUrl) {
      cms = cmsUrl
      for (const name of ['article.html', 'style.css'])
        files.set(`/${name}`, await readFile(join(folder, name), 'utf8'))
      files.set('/article.js', await bundled('article.js', cmsUrl))
      files.set('/note.js', await bundledNote(cmsUrl))
      files.set('/rendered.js', await bundledText(`${bridge}connectPreview({ panel: '${cmsUrl}' })`))
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const common = { bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'error' } as const

const bridge = "import { connectPreview } from 'mortise-client/preview'\n"

/** What a server reads before it renders; undefined without a valid token. */
async function titleOf(cms: string, query: URLSearchParams, token: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${cms}/api/content/${query.get('type')}/${query.get('id')}/preview`, {
    headers,
  })
  return answer.ok ? ((await answer.json()) as { data: { title: string } }).data.title : undefined
}

/** The example of the documentation, for another panel than it names. */
function bundledNote(cmsUrl: string): Promise<string> {
  const source = shownFiles('preview.md')['site/note.ts'] ?? ''
  return bundledText(source.replace('https://cms.example.com', cmsUrl))
}

async function bundledText(contents: string): Promise<string> {
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
