import { AppError } from '../../foundation/http/http.ts'

/**
 * Why a storage fails:
 *
 * | | |
 * |---|---|
 * | `silent` | it takes connections and does not answer in time |
 * | `unreachable` | no connection is made |
 * | `credentials` | it does not know the key, or the secret does not belong to it |
 * | `denied` | the key lacks a right: a storage that may only be read |
 * | `clock` | the clock of this machine is wrong |
 * | `missing` | there is no such bucket or folder |
 * | `settings` | it is addressed in another way than it is set up, such as in another region |
 * | `full` | there is no room left, or a quota is reached |
 * | `failing` | it has a fault of its own, or too much to do |
 * | `foreign` | what answers is no storage of this kind, or does not keep what it is given |
 */
export const storageFaults = [
  'silent',
  'unreachable',
  'credentials',
  'denied',
  'clock',
  'missing',
  'settings',
  'full',
  'failing',
  'foreign',
] as const

export type StorageFault = (typeof storageFaults)[number]

/** Faults that usually pass without action; all others need an operator. */
const passing: readonly StorageFault[] = ['silent', 'unreachable', 'failing']

/**
 * Error of a storage of files that does not work: 507 if it is full, 503 (`storage_away`) otherwise. The message for clients
 * names no details of the set-up; `explanation` does, for the log and the alert `storage_failed`.
 */
export class StorageFailure extends AppError {
  readonly fault: StorageFault
  /** For operators: what is wrong and which setting to look at, without secrets. */
  readonly explanation: string

  constructor(fault: StorageFault, explanation: string, cause?: unknown) {
    super(fault === 'full' ? 'STORAGE_FULL' : 'UNAVAILABLE', tellClients(fault), {
      reason: 'storage_away',
      headers: fault === 'full' ? {} : { 'retry-after': passing.includes(fault) ? '5' : '60' },
      cause,
    })
    this.name = 'StorageFailure'
    this.fault = fault
    this.explanation = explanation
  }
}

function tellClients(fault: StorageFault): string {
  if (fault === 'full') return 'the store of files is full; nothing was stored: make room and send it again'
  if (fault === 'failing') return 'the store of files has a fault of its own; try again soon'
  if (passing.includes(fault)) return 'the store of files does not answer; try again soon'
  return 'the store of files does not work with this service as it is set up; its operators find the cause in the log'
}
