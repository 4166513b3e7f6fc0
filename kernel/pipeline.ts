import { inOrder, type Ordered } from './order.ts'

/** Calls the rest of the pipeline. Calling it twice is an error. */
export type Next<Result> = () => Promise<Result>

/**
 * One stage of middleware. It may act before and after `next`, change the context, answer in place of
 * the rest by not calling `next`, or throw to veto.
 */
export interface Stage<Target, Context, Result> extends Ordered {
  /** For messages: the plugin and what the stage does. */
  readonly name: string
  /** Asked once per target when pipelines are compiled, never per request. */
  matches(target: Target): boolean
  run(context: Context, next: Next<Result>): Result | Promise<Result>
}

/** What is left when all stages are bound: takes a context, runs the stages and the core. */
export type Pipeline<Context, Result> = (context: Context) => Promise<Result>

/** Binds the stages that match `target`, in order, around `core`. */
export function compilePipeline<Target, Context, Result>(
  stages: Iterable<Stage<Target, Context, Result>>,
  target: Target,
  core: (context: Context) => Result | Promise<Result>,
): Pipeline<Context, Result> {
  const matching = inOrder(stages).filter((stage) => stage.matches(target))
  let pipeline: Pipeline<Context, Result> = async (context) => core(context)
  for (const stage of matching.reverse()) pipeline = before(stage, pipeline)
  return pipeline
}

function before<Target, Context, Result>(
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
