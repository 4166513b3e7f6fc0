import { AppError } from './app-error.ts'

/**
 * 503: the service has more to do than it can. Unlike other failures it is not logged request by request, and the
 * connection stays open: opening another one would cost more than the refusal. May be thrown more than once.
 */
export class Overloaded extends AppError {
  constructor(why: string, retryAfterSeconds: number) {
    super('UNAVAILABLE', `${why}: try again in ${retryAfterSeconds} s`, {
      reason: 'overload',
      headers: { 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' },
    })
  }
}
