import type { Log } from '../../kernel/index.ts'

const everyMs = 10 * 60_000

/** Calls `sweep` now and then, while nothing keeps the process alive for it; the answer ends that. */
export function sweepRegularly(sweep: () => Promise<void>, log: Log): () => void {
  const timer = setInterval(() => {
    sweep().catch((error) => log.warn({ err: error }, 'expired tokens could not be cleaned up; trying again'))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
