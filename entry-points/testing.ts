/** `mortise/testing`: a service for tests of plugins and projects. See docs/testing.md. */

export type { Permissions } from '../core-plugins/accounts/auth/auth.ts'
export type { ConfigFile } from '../core-plugins/foundation/config/config.ts'
export type { Extension } from '../core-plugins/panel/extensions/extensions.ts'
export type { ServiceToken } from '../kernel/index.ts'
export { StartupError } from '../kernel/index.ts'
export {
  type Answer,
  type AnyJson,
  expectStatus,
  type RequestOptions,
  type TestClient,
} from '../testing/client.ts'
export type { CreateOptions, Fixtures, TestAccount, TestRights } from '../testing/fixtures.ts'
export type { LogLine } from '../testing/recording-log.ts'
export { startTestService, type TestService, type TestServiceOptions } from '../testing/test-service.ts'
export { until } from '../testing/until.ts'
