import type { IncomingRequest } from '../requests/request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'

/**
 * Decides on requests without credentials before anything is looked up for them, unless an answer may be in memory.
 * @throws AppError 503
 */
export function admitStranger(request: IncomingRequest, { admission, keeper }: RequestEnvironment): void {
  if (admission === undefined || admission.isOpen || request.hasCredentials) return
  if (keeper !== undefined && request.foundRoute.isKept) return
  request.isAdmitted = true
  admission.admit(request)
}

/**
 * Decides on all other requests.
 * @throws AppError 503
 */
export function admit(request: IncomingRequest, { admission }: RequestEnvironment): void {
  if (admission === undefined || admission.isOpen || request.isAdmitted) return
  admission.admit(request)
}
