import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A service as pages see it, with a watch on what they complain about. */
export interface WatchedSite {
  readonly url: string
  /** Errors, warnings and what a policy has refused, in all pages, from their first script on; may be emptied. */
  readonly complaints: string[]
  close(): Promise<void>
}

const watchPath = '/watch.js'
const complaintsPath = '/complaints'

/**
 * Serves what a service does, and each page with one script more, which is the page's own to its policy: browsers tell
 * those who drive them about the console each in its own way, and WebKitGTK does not.
 */
export async function watchSite(service: string): Promise<WatchedSite> {
  const complaints: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url === watchPath) outgoing.setHeader('content-type', 'text/javascript').end(watchScript)
    else if (incoming.url === complaintsPath) {
      complaints.push(await text(incoming))
      outgoing.writeHead(204).end()
    } else forward(service, incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    complaints,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function forward(service: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method = 'GET', url = '/' } = incoming
  // Pages are to come as text that can be added to.
  const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
  const asked = request(`${service}${url}`, { method, headers }, async (answer) => {
    const isPage = answer.headers['content-type']?.startsWith('text/html') === true
    if (!isPage) {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      return
    }
    const { 'content-length': _, ...kept } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, kept)
    outgoing.end((await text(answer)).replace('<head>', `<head><script src="${watchPath}"></script>`))
  })
  asked.on('error', () => outgoing.destroy())
  outgoing.on('close', () => asked.destroy())
  incoming.pipe(asked)
}

const watchScript = `
const tell = (...words) => navigator.sendBeacon('${complaintsPath}', words.join(' '))
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber, sample }) =>
  tell('policy:', location.pathname, violatedDirective, blockedURI, sourceFile, lineNumber, sample))
addEventListener('error', ({ message, target }) => tell('error:', location.pathname, message ?? target.outerHTML), true)
addEventListener('unhandledrejection', ({ reason }) => tell('error:', location.pathname, reason))
for (const level of ['error', 'warn']) {
  const write = console[level]
  console[level] = (...words) => {
    tell(level + ':', location.pathname, ...words)
    write(...words)
  }
}
`
