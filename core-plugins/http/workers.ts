import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../../kernel/index.ts'
import { relayToPeers } from './peers.ts'

/** What a worker tells when it listens. */
interface Listening {
  readonly kind: 'listening'
  readonly port: number
}

const firstDelayMs = 500
const longestDelayMs = 30_000

/** A worker that lived that long did not die of its start. */
const healthyAfterMs = 60_000

/** Whether this process is one of several on one port, and not the first of them, which sees to it that it is free. */
export const isFurtherWorker = cluster.isWorker && process.env.MORTISE_FIRST_WORKER !== 'true'

/** Tells the process that started this one, if there is one, that this one listens. */
export function announceListening(port: number) {
  const message: Listening = { kind: 'listening', port }
  process.send?.(message)
}

/**
 * Runs `count` processes of this program that share its port. The first one starts alone, so that a bad
 * configuration is reported once and work at the start is done once; one that dies is started again, later
 * each time. SIGTERM and SIGINT are passed on.
 * @returns the exit code for this process, when all of them have ended
 */
export function runWorkers(count: number, log: Log): Promise<number> {
  return new Promise((resolve) => new WorkerGroup(count, log, resolve).start())
}

class WorkerGroup {
  private readonly count: number
  private readonly log: Log
  private readonly end: (exitCode: number) => void
  private readonly timers = new Set<NodeJS.Timeout>()
  private port: number | undefined
  private delayMs = firstDelayMs
  private isStopping = false

  constructor(count: number, log: Log, end: (exitCode: number) => void) {
    this.count = count
    this.log = log
    this.end = end
  }

  start() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.stop(signal))
    this.startWorker()
  }

  private startWorker() {
    const startedAt = Date.now()
    const isFirst = this.port === undefined
    const worker = cluster.fork(isFirst ? { MORTISE_FIRST_WORKER: 'true' } : { PORT: String(this.port) })
    worker.on('message', (message) => {
      this.noteListening(message)
      relayToPeers(message, worker, this.workers())
    })
    worker.on('exit', (code, signal) =>
      this.noteExit(worker, { code, signal, livedMs: Date.now() - startedAt }),
    )
  }

  private noteListening({ kind, port }: Listening) {
    if (kind !== 'listening' || this.port !== undefined) return
    this.port = port
    for (let started = 1; started < this.count; started++) this.startWorker()
  }

  private noteExit(worker: Worker, exit: { code: number | null; signal: string | null; livedMs: number }) {
    if (this.isStopping) return this.endWhenAllHave()
    if (this.port === undefined) return this.end(exit.code ?? 1)
    if (exit.livedMs > healthyAfterMs) this.delayMs = firstDelayMs
    const { delayMs } = this
    this.log.error({ ...exit, pid: worker.process.pid, delayMs }, 'a worker died; it will be started again')
    this.delayMs = Math.min(2 * delayMs, longestDelayMs)
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      this.startWorker()
    }, delayMs)
    this.timers.add(timer)
  }

  private stop(signal: NodeJS.Signals) {
    if (this.isStopping) return
    this.isStopping = true
    for (const timer of this.timers) clearTimeout(timer)
    for (const worker of this.workers()) worker.process.kill(signal)
    this.endWhenAllHave()
  }

  private endWhenAllHave() {
    if (this.workers().length === 0) this.end(0)
  }

  private workers(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  }
}
