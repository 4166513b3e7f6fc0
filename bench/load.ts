import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

const execute = promisify(execFile)

/** A placeholder in a path or body for a number that differs in every request. */
export const counterMarker = '{{counter}}'

export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  /** May contain `counterMarker` once. */
  readonly path: string
  /** JSON text; may contain it once if the path does not. */
  readonly body?: string
  /** Headers in addition to those of every request. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface LoadTarget {
  readonly url: string
  /** '' for requests without credentials. */
  readonly token: string
}

export interface LoadOptions {
  /** Sent repeatedly in turn. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  /** The total number of responses. */
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Puts a server under load and measures. @throws Error if any request fails or returns an error */
export type Load = (target: LoadTarget, options: LoadOptions) => Promise<LoadResult>

const headers = (target: LoadTarget): Record<string, string> => ({
  host: new URL(target.url).host,
  ...(target.token === '' ? {} : { authorization: `Bearer ${target.token}` }),
})

function rawRequest(target: LoadTarget, { method, path, body, headers: own = {} }: LoadRequest): string {
  const fields =
    body === undefined
      ? { ...headers(target), ...own }
      : {
          ...{ ...headers(target), ...own },
          'content-type': 'application/json',
          'content-length': `${Buffer.byteLength(body)}`,
        }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

const loadWithWrk: Load = async (target, { requests, connections, seconds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-load-'))
  const file = join(folder, 'requests')
  await writeFile(file, requests.map((request) => `${rawRequest(target, request)}\0`).join(''))
  const script = fileURLToPath(new URL('./load.lua', import.meta.url))
  const options = [
    '--threads',
    '1',
    '--connections',
    `${connections}`,
    '--duration',
    `${Math.ceil(seconds)}s`,
  ]
  try {
    const { stdout } = await execute('wrk', [...options, '--script', script, target.url, '--', file])
    return readWrkResult(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The last line, written by `load.lua`: requests, microseconds in all, at p50 and at p99, failed requests. */
function readWrkResult(output: string): LoadResult {
  const line = output.trim().split('\n').at(-1) ?? ''
  const [requests = 0, durationUs = 1, p50Us = 0, p99Us = 0, failed = 1] = line.split(' ').map(Number)
  if (failed > 0 || Number.isNaN(failed)) throw new Error(`wrk saw ${failed} failed requests:\n${output}`)
  return {
    requests,
    requestsPerSecond: (requests * 1e6) / durationUs,
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
  }
}

/** autocannon reports latencies in whole milliseconds. */
const loadWithAutocannon: Load = async (target, { requests, connections, seconds }) => {
  let counter = 0
  const numbered = (text: string): string =>
    text.replace(counterMarker, `${++counter}`.padStart(counterMarker.length, '0'))
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    headers: { ...headers(target), 'content-type': 'application/json' },
    requests: requests.map((request) =>
      `${request.path}${request.body}`.includes(counterMarker)
        ? { ...request, setupRequest: (current) => ({ ...current, ...withNumber(request, numbered) }) }
        : request,
    ),
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0)
    throw new Error(`autocannon saw ${failed} failed requests: ${JSON.stringify(result.statusCodeStats)}`)
  return {
    requests: result['2xx'],
    requestsPerSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}

function withNumber({ path, body }: LoadRequest, numbered: (text: string) => string) {
  return { path: numbered(path), ...(body !== undefined && { body: numbered(body) }) }
}

export interface Loader {
  readonly name: 'wrk' | 'autocannon'
  readonly load: Load
}

export const autocannonLoader: Loader = { name: 'autocannon', load: loadWithAutocannon }

const wrkLoader: Loader = { name: 'wrk', load: loadWithWrk }

/** wrk if it is installed, since it leaves more of the machine to the server; otherwise autocannon. */
export async function findLoader(): Promise<Loader> {
  const isMissing = await execute('wrk', ['--version']).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
  return isMissing ? autocannonLoader : wrkLoader
}
