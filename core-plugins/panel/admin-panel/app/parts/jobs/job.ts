export type JobStatus = 'waiting' | 'delayed' | 'active' | 'completed' | 'failed' | 'cancelled'

/** A piece of background work, as the service answers it. */
export interface Job {
  readonly id: number
  readonly name: string
  readonly key: string | null
  readonly mailbox: string | null
  readonly status: JobStatus
  readonly payload: unknown
  readonly attempts: number
  readonly maxAttempts: number
  /** Per cent. */
  readonly progress: number
  readonly result: unknown
  readonly error: string | null
  readonly run_at: string
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}
