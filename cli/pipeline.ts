import {
  type ContentTarget,
  contentReadMiddleware,
  contentWriteMiddleware,
} from '../core-plugins/entries/content/content.ts'
import {
  adminMiddleware,
  authenticators,
  buildRouter,
  type Http,
  httpService,
  policies,
  type Route,
  requestObservers,
  requestStages,
  routeGuards,
  routes,
} from '../core-plugins/foundation/http/http.ts'
import { type ContentType, type Schemas, schemasService } from '../core-plugins/foundation/schemas/schemas.ts'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import { type ContributionOf, nearest, type PluginContext } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { defineCoreCommand } from './command.ts'
import { startInMemory } from './partial-service.ts'
import { formatTable } from './table.ts'

export const pipelineCommand = defineCoreCommand({
  name: 'pipeline',
  summary:
    'shows what runs for a route or a content type, in order, and which plugin brings it; for all requests without one',
  example: "pipeline 'GET /api/content/article'",
  arguments: {
    target: { summary: 'a route by name or as `GET /path`, or a content type', isOptional: true },
  },
  hasJson: true,
  async run({ project, arguments: { target } }) {
    if (target === undefined)
      return show(requestStages.map(({ name, summary }) => ({ step: name, by: 'http', summary })))
    return inService(project, (parts) => {
      const type = parts.schemas.types.get(target)
      return type === undefined
        ? show(stepsOfRoute(findRoute(target, parts), parts))
        : show(stepsOfType(type, parts))
    })
  },
})

/** One thing that runs. */
interface Step {
  readonly step: string
  /** The plugin that brings it. */
  readonly by: string
  readonly summary: string
}

/** Others are headings. */
const isStep = ({ by }: Step) => by !== ''

function show(steps: readonly Step[]) {
  const table = formatTable(steps.filter(isStep).map(({ step, by, summary }) => [step, by, summary])).split(
    '\n',
  )
  const lines = steps.map((each) => (isStep(each) ? table.shift() : each.step))
  return { text: lines.join('\n'), json: steps }
}

interface Parts {
  readonly http: Http
  readonly schemas: Schemas
  readonly by: PluginContext['contributionsByPlugin']
}

async function inService<T>(project: ServiceOptions, read: (parts: Parts) => T): Promise<T> {
  let by: Parts['by'] | undefined
  const kernel = await startInMemory(project, ({ contributionsByPlugin }) => {
    by = contributionsByPlugin
  })
  try {
    if (by === undefined) throw new Error('the reader of contributions has not booted')
    return read({ http: kernel.get(httpService), schemas: kernel.get(schemasService), by })
  } finally {
    await kernel.stop()
  }
}

/** @throws CommandError naming what is nearest */
function findRoute(target: string, { http, schemas }: Parts): Route {
  const named = http.routes.find(({ name }) => name === target)
  if (named !== undefined) return named
  const [method = '', path] = target.split(/\s+/)
  if (path !== undefined) {
    const router = buildRouter(
      http.apiPrefix,
      http.routes.map((route) => ({ route })),
    )
    const found = router.find(method.toUpperCase(), path.split('?', 1)[0] ?? path)
    if (found !== undefined) return found.route.route
    throw new CommandError(
      `no route serves ${method.toUpperCase()} ${path}; paths begin with ${http.apiPrefix}`,
    )
  }
  const names = [...http.routes.map(({ name }) => name), ...schemas.types.keys()]
  const near = nearest(target, names)
  const hint =
    near === undefined ? 'routes are named in the API document (`operationId`)' : `did you mean ${near}?`
  throw new CommandError(`there is no route and no content type ${target}; ${hint}`)
}

function stepsOfRoute(route: Route, parts: Parts): Step[] {
  return requestStages.flatMap(({ name, summary }): Step[] => {
    const own = { step: name, by: 'http', summary }
    return [own, ...(within[name]?.(route, parts) ?? []).map((each) => ({ ...each, step: `  ${each.step}` }))]
  })
}

/** What plugins bring to stages of a request, by the stage. */
const within: Readonly<Record<string, (route: Route, parts: Parts) => Step[]>> = {
  authenticate: (_, { by }) =>
    by(authenticators).map(({ plugin }) => ({
      step: 'authenticator',
      by: plugin,
      summary: 'the first that knows the caller wins',
    })),
  'pass guards': (route, { by }) => {
    const named = new Map(by(policies).map(({ value }) => [value.name, value]))
    const guards = by(routeGuards)
      .filter(({ value }) => value.compile(route, named) !== undefined)
      .map(({ plugin }) => ({
        step: 'guard',
        by: plugin,
        summary: `access: ${route.access}${route.scope === undefined ? '' : `, scope ${route.scope}`}`,
      }))
    const wanted = by(policies).filter(({ value }) => route.policies?.includes(value.name) === true)
    return [
      ...guards,
      ...wanted.map(({ plugin, value }) => ({ step: `policy ${value.name}`, by: plugin, summary: '' })),
    ]
  },
  'run handler': (route, { by }) => [
    ...by(adminMiddleware)
      .filter(({ value }) => value.matches(route))
      .map(({ plugin, value }) => ({ step: 'middleware', by: plugin, summary: value.name })),
    { step: `handler of ${route.name}`, by: ownerOf(route, by), summary: route.summary },
  ],
  'send answer': (_, { by }) =>
    by(requestObservers).map(({ plugin }) => ({
      step: 'observer',
      by: plugin,
      summary: 'is told of the answer',
    })),
}

function ownerOf(route: Route, by: Parts['by']): string {
  return by(routes).find(({ value }) => value.name === route.name)?.plugin ?? 'http'
}

const writes = ['create', 'update', 'delete', 'restore', 'publish', 'unpublish', 'discard'] as const
const reads = ['find', 'list'] as const

/** Operations through which the same stages run are one block. */
function stepsOfType(type: ContentType, { by }: Parts): Step[] {
  const stagesOf = (
    operation: ContentTarget['operation'],
  ): readonly ContributionOf<{ readonly name: string }>[] => {
    const isRead = reads.some((each) => each === operation)
    const all = isRead ? by(contentReadMiddleware) : by(contentWriteMiddleware)
    return all.filter(({ value }) => value.matches({ type, operation }))
  }
  const blocks = new Map<string, { operations: string[]; stages: ReturnType<typeof stagesOf> }>()
  for (const operation of [...writes, ...reads]) {
    const stages = stagesOf(operation)
    const isRead = reads.some((each) => each === operation)
    const key = [isRead, ...stages.map(({ plugin, value }) => `${plugin} ${value.name}`)].join('\n')
    const block = blocks.get(key) ?? { operations: [], stages }
    block.operations.push(operation)
    blocks.set(key, block)
  }
  return [...blocks.values()].flatMap(({ operations, stages }) => [
    { step: `${operations.join(', ')}:`, by: '', summary: '' },
    ...stages.map(({ plugin, value }) => ({ step: '  middleware', by: plugin, summary: value.name })),
    { step: '  operation', by: 'content', summary: type.name },
  ])
}
