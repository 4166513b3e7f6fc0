import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../../../../kernel/index.ts'
import { relayClusterMessage } from './cluster-requests.ts'

/** The message of a process that has begun to listen. */
interface Listening {
  readonly kind: 'listening'
  readonly port: number
}

const firstDelayMs = 500
const longestDelayMs = 30_000

/** A process that lived this long did not crash on start. */
const healthyAfterMs = 60_000

/**
 * Whether this process is one of several on one port, but not the first, which checks that the port is free.
 */
export const isFurtherProcess = cluster.isWorker && process.env.MORTISE_FIRST_PROCESS !== 'true'

/** Reports to the process that started this one, if any, that this one listens. */
export function announceListening(port: number) {
  const message: Listening = { kind: 'listening', port }
  process.send?.(message)
}

/**
 * Runs `count` processes of this program that share its port. The first one starts alone, so that a bad
 * configuration is reported once and start-up work is done once; one that dies is restarted, with growing
 * delays. SIGTERM and SIGINT are passed on.
 * @returns the exit code for this process, when all of them have ended
 */
export function runProcesses(count: number, log: Log): Promise<number> {
  return new Promise((resolve) => new ProcessGroup(count, log, resolve).start())
}

class ProcessGroup {
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
    this.startProcess()
  }

  private startProcess() {
    const startedAt = Date.now()
    const isFirst = this.port === undefined
    const started = cluster.fork(isFirst ? { MORTISE_FIRST_PROCESS: 'true' } : { PORT: String(this.port) })
    started.on('message', (message) => {
      this.noteListening(message)
      relayClusterMessage(message, started, this.processes())
    })
    started.on('exit', (code, signal) =>
      this.noteExit(started, { code, signal, livedMs: Date.now() - startedAt }),
    )
  }

  private noteListening({ kind, port }: Listening) {
    if (kind !== 'listening' || this.port !== undefined) return
    this.port = port
    for (let started = 1; started < this.count; started++) this.startProcess()
  }

  private noteExit(died: Worker, exit: { code: number | null; signal: string | null; livedMs: number }) {
    if (this.isStopping) return this.endWhenAllHave()
    if (this.port === undefined) return this.end(exit.code ?? 1)
    if (exit.livedMs > healthyAfterMs) this.delayMs = firstDelayMs
    const { delayMs } = this
    this.log.error({ ...exit, pid: died.process.pid, delayMs }, 'a process died; it will be restarted')
    this.delayMs = Math.min(2 * delayMs, longestDelayMs)
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      this.startProcess()
    }, delayMs)
    this.timers.add(timer)
  }

  private stop(signal: NodeJS.Signals) {
    if (this.isStopping) return
    this.isStopping = true
    for (const timer of this.timers) clearTimeout(timer)
    for (const running of this.processes()) running.process.kill(signal)
    this.endWhenAllHave()
  }

  private endWhenAllHave() {
    if (this.processes().length === 0) this.end(0)
  }

  private processes(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((running) => running !== undefined)
  }
}
