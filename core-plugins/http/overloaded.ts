import { AppError } from './app-error.ts'
import type { UnavailableReason } from './unavailable-reasons.ts'

/**
 * 503: the service has more to do than it can. Unlike other failures it is not logged request by request, and the
 * connection stays open: opening another one would cost more than the refusal. May be thrown more than once.
 */
export class Overloaded extends AppError {
  /** @param remedy what the client is to do, as a clause: `ask for less at a time` */
  constructor(reason: UnavailableReason, why: string, retryAfterSeconds: number, remedy?: string) {
    const further = remedy === undefined ? '' : `, and ${remedy}`
    super('UNAVAILABLE', `${why}: try again in ${retryAfterSeconds} s${further}`, {
      reason,
      headers: { 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' },
    })
  }
}
