import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import type { Principal, Route } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Docs, ShownRoute } from '../docs/docs.ts'
import { typeTools } from './describe-types.ts'
import { routeFinder } from './find-routes.ts'
import { type ToolInput, toolInput } from './input-schema.ts'
import { type RouteToolDeps, routeTool } from './route-tool.ts'
import type { Tool } from './tool.ts'

export interface ToolboxDeps extends RouteToolDeps {
  readonly docs: Docs
  readonly schemas: Schemas
}

/** The tools of a caller: those of usable routes, and those that find other routes. */
export interface Toolbox {
  list(principal: Principal): Promise<readonly Tool[]>
  /** Undefined if the tool does not exist, or is not available to the caller. */
  find(name: string, principal: Principal): Promise<Tool | undefined>
}

/** There are few different sets of permissions, each with a number of tools. */
const maxKeptInputs = 200

export function createToolbox(deps: ToolboxDeps): Toolbox {
  const inputs = new LRUCache<string, ToolInput>(upTo(maxKeptInputs))
  const general = [...typeTools(deps), ...routeFinder(deps)]

  /** Cached, since comparing the schemas of many types takes long. */
  function inputOf(shown: Shown): ToolInput {
    const key = shown.map(({ variant }) => variant.name).join()
    const kept = inputs.get(key) ?? toolInput(shown[0].route, shown)
    inputs.set(key, kept)
    return kept
  }

  async function toolsOf(principal: Principal, matches: (route: Route) => boolean): Promise<Tool[]> {
    const usable = await deps.docs.usableBy(principal, matches)
    return byRoute(usable).flatMap((shown) => routeTool(shown, inputOf(shown), deps) ?? [])
  }

  return {
    async list(principal) {
      return [...general, ...(await toolsOf(principal, (route) => nameOf(route) !== undefined))]
    },
    async find(name, principal) {
      const found = general.find((tool) => tool.name === name)
      return found ?? (await toolsOf(principal, (route) => nameOf(route) === name))[0]
    },
  }
}

function nameOf({ tool }: Route): string | undefined {
  return tool === undefined || tool === false ? undefined : tool.name
}

type Shown = [ShownRoute, ...ShownRoute[]]

function byRoute(usable: readonly ShownRoute[]): readonly Shown[] {
  const groups = new Map<Route, Shown>()
  for (const shown of usable) {
    const group = groups.get(shown.route)
    if (group === undefined) groups.set(shown.route, [shown])
    else group.push(shown)
  }
  return [...groups.values()]
}
