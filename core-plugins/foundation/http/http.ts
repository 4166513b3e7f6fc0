export {
  type AnswerFate,
  type AnswerInMaking,
  type AnswerKeeper,
  type AnswerLook,
  answerKeepers,
  KeptAnswer,
  type MadeAnswer,
  type TaggedAnswer,
} from './answers/answer-keeper.ts'
export { type AnswerLabel, type AnswerLabeller, answerLabellers } from './answers/answer-labels.ts'
export {
  AppError,
  type AppErrorOptions,
  type ErrorCode,
  type ErrorDetail,
  type ReasonedOptions,
} from './answers/app-error.ts'
export { type AnswerableError, asAppError, type ErrorAnswer } from './answers/as-app-error.ts'
export { type Encoding, encodingFor } from './answers/compression.ts'
export type { ToldError } from './answers/error-envelope.ts'
export { isNoneMatch, isVersionMatch } from './answers/etag.ts'
export { Overloaded } from './answers/overloaded.ts'
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
} from './answers/reply.ts'
export {
  asUnavailableReason,
  type UnavailableReason,
  unavailableReasons,
} from './answers/unavailable-reasons.ts'
export { emailAddressOf } from './email-address.ts'
export {
  type Caller,
  type Http,
  httpService,
  type InternalAnswer,
  type InternalRequest,
} from './http-service.ts'
export {
  type AdminMiddleware,
  type AdminStage,
  adminMiddleware,
  defineAdminMiddleware,
} from './requests/admin-middleware.ts'
export { type Admission, type AdmissionRequest, admissions } from './requests/admission.ts'
export { type Authenticator, type AuthenticatorRequest, authenticators } from './requests/authenticator.ts'
export { parseJson } from './requests/body.ts'
export { clientOf, isLoopback, networkOf } from './requests/client-address.ts'
export type {
  AdminPrincipal,
  AnonymousPrincipal,
  Maker,
  Principal,
  TokenPrincipal,
  UserPrincipal,
} from './requests/principal.ts'
export { parseQueryString, type QueryValue, type QueryValues } from './requests/query-string.ts'
export { type RateLimitHit, type RateLimitStore, rateLimitStores } from './requests/rate-limit-store.ts'
export { type AnsweredRequest, type RequestObserver, requestObservers } from './requests/request-observer.ts'
export type { RequestStage } from './requests/request-stage.ts'
export { requestStages } from './requests/request-stages.ts'
export { noteUnjudged } from './requests/unjudged.ts'
export { locationProblem } from './routes/check-fallback.ts'
export { type AccessRule, compileAccess } from './routes/compile-access.ts'
export { defineFallback, type Fallback, type FallbackRequest, fallbacks } from './routes/fallback.ts'
export {
  type GuardCheck,
  type GuardRequest,
  type Policy,
  policies,
  type RouteGuard,
  routeGuards,
} from './routes/guard.ts'
export { htmlPage, inertPolicy, type PageFiles, pageFilesRoute, undocumented } from './routes/pages.ts'
export { type CamelCased, presenterOf, type RecordOf } from './routes/presenter.ts'
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
} from './routes/route.ts'
export {
  bytesSchema,
  idParams,
  idSchema,
  ignored,
  momentSchema,
  orNull,
  type Range,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  textSchema,
  timestampSchema,
} from './routes/route-schemas.ts'
export { buildRouter } from './routes/router.ts'
export type { ClusterRequests } from './servers/cluster-requests.ts'
export { type ReadinessCheck, readinessChecks } from './servers/readiness-check.ts'
export type {
  EventChannel,
  EventWriter,
  HeaderLines,
  SocketChannel,
  SocketListener,
} from './servers/server-port.ts'
export { heartbeat, type ServerSentEvent, serverSentEvent } from './servers/server-sent-event.ts'
export { environmentName, maxAnonymousBodySize, processes } from './settings.ts'
export { assertValid, bodyValidator, type Validator, whenNeeded } from './validation.ts'
