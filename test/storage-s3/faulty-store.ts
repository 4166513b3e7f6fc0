import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a store does instead of its work. */
export type Fault =
  /** Takes requests and never answers. */
  | { readonly kind: 'silence' }
  /** Begins an answer with a body and goes no further than its first bytes. */
  | { readonly kind: 'stall'; readonly bytes: number }
  /** Cuts the connection in the middle of a body. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** Answers 200 without a body to everything, as some web servers do. */
  | { readonly kind: 'nod' }
  /** Refuses, as S3 does. */
  | { readonly kind: 'refusal'; readonly status: number; readonly code: string }

/** A proxy in front of a store that has a fault when it is told to. */
export interface FaultyStore {
  readonly url: string
  /** All requests meet it from now on, or those of some methods. */
  fail(fault: Fault, methods?: readonly string[]): void
  work(): void
  /** How many requests have come, whether or not they met a fault. */
  readonly requests: number
  close(): void
}

export async function startFaultyStore(store: string): Promise<FaultyStore> {
  let broken: { fault: Fault; methods?: readonly string[] | undefined } | undefined
  let requests = 0
  const server = createServer((incoming, outgoing) => {
    requests += 1
    const { method = '' } = incoming
    const fault = broken?.methods?.includes(method) === false ? undefined : broken?.fault
    if (fault === undefined) return forward(store, incoming, outgoing)
    if (fault.kind === 'stall' || fault.kind === 'cut') return forward(store, incoming, outgoing, fault)
    incoming.resume()
    if (fault.kind === 'nod') incoming.on('end', () => outgoing.end())
    if (fault.kind === 'refusal') incoming.on('end', () => refuse(outgoing, method, fault))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    fail(fault, methods) {
      broken = { fault, methods }
    },
    work() {
      broken = undefined
    },
    get requests() {
      return requests
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type PartialFault = Extract<Fault, { bytes: number }>

/** Passes a request on to a store, and the answer back: whole, unless there is a fault. */
export function forward(
  store: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault?: PartialFault,
) {
  const { method, headers, url } = incoming
  const forwarded = send(`${store}${url}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    if (fault === undefined || method === 'HEAD') answer.pipe(outgoing)
    else {
      answer.once('data', (bytes: Buffer) => {
        outgoing.write(bytes.subarray(0, fault.bytes), () => {
          if (fault.kind === 'cut') outgoing.destroy()
        })
      })
    }
  })
  forwarded.on('error', () => outgoing.destroy())
  incoming.pipe(forwarded)
}

function refuse(
  outgoing: ServerResponse,
  method: string,
  { status, code }: { status: number; code: string },
) {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Refused: ${code}</Message></Error>`
  outgoing.writeHead(status, { 'content-type': 'application/xml' })
  outgoing.end(method === 'HEAD' ? undefined : body)
}
