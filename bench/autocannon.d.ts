/** The parts of autocannon that `load.ts` uses; the package has no types. */
declare module 'autocannon' {
  interface Request {
    readonly method: string
    readonly path: string
    readonly body?: string | undefined
    readonly setupRequest?: (current: Request) => Request
  }

  interface Result {
    readonly errors: number
    readonly timeouts: number
    readonly non2xx: number
    readonly '2xx': number
    readonly statusCodeStats: object
    /** Seconds. */
    readonly duration: number
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number }
  }

  export default function autocannon(options: {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly headers: Readonly<Record<string, string>>
    readonly requests: readonly Request[]
  }): Promise<Result>
}
