/** `mortise`: starts a service in code. See docs/deployment.md. */

export type { ConfigFile } from '../core-plugins/foundation/config/config.ts'
export { httpService } from '../core-plugins/foundation/http/http.ts'
export { createLog, type ProcessLog } from '../core-plugins/foundation/log/log.ts'
export { type Kernel, StartupError } from '../kernel/index.ts'
export { createService, type ServiceOptions } from '../service.ts'
