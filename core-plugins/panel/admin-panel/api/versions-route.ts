import { Type } from 'typebox'
import { describeProblem } from '../../../../kernel/index.ts'
import serviceManifest from '../../../../package.json' with { type: 'json' }
import { defineRoute, type Http, orNull, type Route, strict } from '../../../foundation/http/http.ts'

const textOrNull = (description: string) => orNull(Type.String(), { description })

/** The versions of the service and its runtime. */
export const versionsSchema = Type.Object(
  {
    mortise: Type.String(),
    node: Type.String(),
    nativeServer: textOrNull('Null where node:http serves'),
    problem: textOrNull(
      'Why the native server does not serve, and what to do; null where nobody has asked for it',
    ),
  },
  strict,
)

/** Serves the versions of the service and its runtime to administrators. See docs/admin-api.md. */
export const versionsRoute = (http: Http): Route =>
  defineRoute({
    name: 'admin:versions.read',
    method: 'GET',
    path: '/admin/versions',
    tag: 'Panel',
    summary: 'What the service runs on: Mortise, Node.js, the HTTP server',
    access: 'area',
    scope: 'admin:*',
    response: versionsSchema,
    handler() {
      const { native = null, problem } = http.server ?? {}
      return {
        mortise: serviceManifest.version,
        node: process.versions.node,
        nativeServer: native,
        problem: problem === undefined ? null : describeProblem(problem).trim(),
      }
    },
  })
