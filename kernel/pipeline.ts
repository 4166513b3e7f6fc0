import { type ExtensionPoint, extensionPoint } from './extension-point.ts'
import type { TokenOptions } from './token.ts'

/** Calls the rest of the pipeline. Calling it twice is an error. */
export type Next<Result> = () => Promise<Result>

/**
 * A middleware stage. It may act before and after `next`, change the context, answer by itself without
 * calling `next`, or throw to veto.
 */
export interface Stage<Target, Context, Result> {
  /** For messages: the plugin, and what the stage does. */
  readonly name: string
  /** Lower runs earlier; default 0. Placements by name take precedence. */
  readonly order?: number
  /** Called once per target when pipelines are compiled, never per request. */
  matches(target: Target): boolean
  run(context: Context, next: Next<Result>): Result | Promise<Result>
}

/** Creates the extension point for one kind of middleware. Its stages are also placed by their `order`. */
export function middlewarePoint<S extends { readonly order?: number }>(
  id: string,
  options?: TokenOptions,
): ExtensionPoint<S> {
  return Object.freeze({ ...extensionPoint<S>(id, options), orderOf: ({ order }: S) => order })
}

/** A compiled pipeline: takes a context and runs the stages around the core. */
export type Pipeline<Context, Result> = (context: Context) => Promise<Result>

/** Binds the stages that match `target` around `core`, the first one outermost. */
export function compilePipeline<Target, Context, Result>(
  stages: Iterable<Stage<Target, Context, Result>>,
  target: Target,
  core: (context: Context) => Result | Promise<Result>,
): Pipeline<Context, Result> {
  const matching = [...stages].filter((stage) => stage.matches(target))
  let pipeline: Pipeline<Context, Result> = async (context) => core(context)
  for (const stage of matching.reverse()) pipeline = wrap(stage, pipeline)
  return pipeline
}

function wrap<Target, Context, Result>(
  stage: Stage<Target, Context, Result>,
  rest: Pipeline<Context, Result>,
): Pipeline<Context, Result> {
  return async (context) => {
    let called = false
    return stage.run(context, () => {
      if (called)
        return Promise.reject(new Error(`middleware ${stage.name} called next() twice; call it once`))
      called = true
      return rest(context)
    })
  }
}
