import { AppError, type Principal } from '../../../foundation/http/http.ts'
import { extensionsOf } from '../errors.ts'

/** An error in the form of GraphQL. */
export const errorIn = (error: AppError): object => ({
  message: error.message,
  extensions: extensionsOf(error),
})

export const lostEvents = (): AppError =>
  new AppError('CURSOR_EXPIRED', 'not all events can be told; read anew what you show, and subscribe again')

export const outdated = (): AppError => new AppError('UNAUTHENTICATED', 'the credential is no longer valid')

/** The permissions of the subscriber have changed. */
export const notAllowed = (principal: Principal | undefined): AppError =>
  principal === undefined || principal.kind === 'anonymous'
    ? new AppError('UNAUTHENTICATED', 'this needs a credential by now')
    : AppError.forbidden()
