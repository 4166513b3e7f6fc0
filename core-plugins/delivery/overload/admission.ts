import type { Admission, AdmissionRequest } from '../../foundation/http/http.ts'
import type { ShedClass } from './pressure.ts'
import type { Shedder } from './shedder.ts'

/** Refuses anonymous requests by class, before their body is read. */
export function createAdmission(shedder: Shedder): Admission {
  return {
    get isOpen() {
      return shedder.pressure === 0
    },
    admit(request) {
      const shedClass = classOf(request)
      if (shedClass !== undefined) shedder.pass(shedClass)
    },
  }
}

/** Undefined for requests that are never refused. At this point, the caller has been authenticated. */
function classOf({ route, principal }: AdmissionRequest): ShedClass | undefined {
  const { load } = route
  if (principal.kind !== 'anonymous') return undefined
  if (load === 'always' || route.isProbe === true || route.isUnlimited === true) return undefined
  return load === 'dear' ? 'dear' : 'anonymous'
}
