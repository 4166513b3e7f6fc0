import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'

/** Runs in the page: renders the title and records when it was painted. */
const script = (panel: string) => `
  import { connectPreview, withFields } from './client/preview.ts'
  let entry = {}
  globalThis.painted = []
  function show(next) {
    entry = next
    document.querySelector('h1').textContent = entry.title
    const { length } = entry.title
    requestAnimationFrame(() => setTimeout(() => painted.push([length, performance.timeOrigin + performance.now()])))
  }
  connectPreview({
    panel: ${JSON.stringify(panel)},
    onStart: async (started) => show(await started.read()),
    onChange: (fields) => show(withFields(entry, fields)),
  })
`

/** Serves a page with the client's preview bridge on its own origin. */
export async function startSite() {
  let bundle = ''
  const server = createServer(({ url = '/' }, response) => {
    const isScript = url.startsWith('/page.js')
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? bundle : '<!doctype html><h1></h1><script type="module" src="/page.js"></script>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async use(panel: string) {
      const stdin = { contents: script(panel), resolveDir: process.cwd() }
      const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm', minify: true })
      bundle = outputFiles[0]?.text ?? ''
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
