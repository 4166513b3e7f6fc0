export {
  type AdminMiddleware,
  type AdminStage,
  adminMiddleware,
  defineAdminMiddleware,
} from './admin-middleware.ts'
export { type Admission, type AdmissionRequest, admissions } from './admission.ts'
export {
  type AnswerFate,
  type AnswerInMaking,
  type AnswerKeeper,
  type AnswerLook,
  answerKeepers,
  KeptAnswer,
  type MadeAnswer,
  type TaggedAnswer,
} from './answer-keeper.ts'
export { type AnswerLabel, type AnswerLabeller, answerLabellers } from './answer-labels.ts'
export {
  AppError,
  type AppErrorOptions,
  type ErrorCode,
  type ErrorDetail,
  type ReasonedOptions,
} from './app-error.ts'
export { type AnswerableError, asAppError, type ErrorAnswer } from './as-app-error.ts'
export { type Authenticator, type AuthenticatorRequest, authenticators } from './authenticator.ts'
export { parseJson } from './body.ts'
export { locationProblem } from './check-fallback.ts'
export { clientOf, isLoopback, networkOf } from './client-address.ts'
export type { ClusterRequests } from './cluster-requests.ts'
export { type AccessRule, compileAccess } from './compile-access.ts'
export { type Encoding, encodingFor } from './compression.ts'
export { emailAddressOf } from './email-address.ts'
export type { ToldError } from './error-envelope.ts'
export { isNoneMatch, isVersionMatch } from './etag.ts'
export { defineFallback, type Fallback, type FallbackRequest, fallbacks } from './fallback.ts'
export {
  type GuardCheck,
  type GuardRequest,
  type Policy,
  policies,
  type RouteGuard,
  routeGuards,
} from './guard.ts'
export {
  type Caller,
  type Http,
  httpService,
  type InternalAnswer,
  type InternalRequest,
} from './http-service.ts'
export { Overloaded } from './overloaded.ts'
export { htmlPage, inertPolicy, type PageFiles, pageFilesRoute, undocumented } from './pages.ts'
export type {
  AdminPrincipal,
  AnonymousPrincipal,
  Maker,
  Principal,
  TokenPrincipal,
  UserPrincipal,
} from './principal.ts'
export { parseQueryString, type QueryValue, type QueryValues } from './query-string.ts'
export { type RateLimitHit, type RateLimitStore, rateLimitStores } from './rate-limit-store.ts'
export { type ReadinessCheck, readinessChecks } from './readiness-check.ts'
export {
  accepted,
  created,
  eventStream,
  type Pagination,
  page,
  Reply,
  redirect,
  stream,
  webSocket,
} from './reply.ts'
export { type AnsweredRequest, type RequestObserver, requestObservers } from './request-observer.ts'
export type { RequestStage } from './request-stage.ts'
export { requestStages } from './request-stages.ts'
export {
  type Access,
  accesses,
  anyScope,
  defineRoute,
  type ErrorReply,
  type LoadClass,
  type Method,
  type Route,
  type RouteDefinition,
  type RouteRequest,
  type RouteTool,
  type RouteVariant,
  routes,
  socketRoutes,
} from './route.ts'
export {
  bytesSchema,
  idParams,
  idSchema,
  ignored,
  momentSchema,
  type Range,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  textSchema,
  timestampSchema,
} from './route-schemas.ts'
export { buildRouter } from './router.ts'
export type {
  EventChannel,
  EventWriter,
  HeaderLines,
  SocketChannel,
  SocketListener,
} from './server-port.ts'
export { heartbeat, type ServerSentEvent, serverSentEvent } from './server-sent-event.ts'
export { environmentName, maxAnonymousBodySize, processes } from './settings.ts'
export { asUnavailableReason, type UnavailableReason, unavailableReasons } from './unavailable-reasons.ts'
export { noteUnjudged } from './unjudged.ts'
export { assertValid, bodyValidator, type Validator, whenNeeded } from './validation.ts'
