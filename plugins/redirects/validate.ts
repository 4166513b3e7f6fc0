import { defineWriteMiddleware, type ErrorDetail, locationProblem, type WriteStage } from 'mortise/plugin'
import { chainEnd, maxChain } from './chains.ts'
import { encodedTarget, pathKey } from './paths.ts'
import { type RuleStore, ruleType } from './rule-store.ts'

/** Writes redirects in one spelling, and refuses those that lead nowhere. */
export function validateRules(rules: RuleStore, apiPrefix: string): WriteStage {
  return defineWriteMiddleware({
    name: 'redirects: check redirects',
    types: ruleType,
    operations: ['create', 'update', 'restore'],
    async run(context, next) {
      const { data, before, additions, tx } = context
      const given = { from: data.from ?? before?.from, to: data.to ?? before?.to }
      if (typeof given.from !== 'string' || typeof given.to !== 'string') return next()
      const from = pathKey(given.from)
      const to = encodedTarget(given.to)
      const problems = [...fromProblems(from, apiPrefix), ...toProblems(to)]
      if (problems.length === 0 && from !== undefined && to !== undefined) {
        const end = await chainEnd({ from, to }, async (path) => {
          const next = await rules.findByPath(path, tx)
          // What this write replaces leads nowhere any more.
          return next?.id === before?.id ? undefined : next
        })
        problems.push(...chainProblems(end))
        context.data = {
          ...data,
          ...(data.from === undefined ? {} : { from }),
          ...(data.to === undefined ? {} : { to }),
        }
      }
      additions.problems.push(...problems)
      return next()
    },
  })
}

function fromProblems(from: string | undefined, apiPrefix: string): ErrorDetail[] {
  const problem = (message: string) => [{ path: 'from', code: 'path', message }]
  if (from === undefined) return problem('must be a path such as /old-page, without query and fragment')
  const path = from.toLowerCase()
  const taken = [apiPrefix, '/admin'].find((each) => path === each || path.startsWith(`${each}/`))
  return taken === undefined ? [] : problem(`is below ${taken}, where nothing is redirected`)
}

function toProblems(to: string | undefined): ErrorDetail[] {
  const message = to === undefined ? 'has characters that no address has' : locationProblem(to, true)
  return message === undefined ? [] : [{ path: 'to', code: 'location', message }]
}

function chainProblems(end: 'fine' | 'loop' | 'long'): ErrorDetail[] {
  if (end === 'fine') return []
  const message =
    end === 'loop' ? 'leads back to where it began' : `leads over more than ${maxChain} other redirects`
  return [{ path: 'to', code: end, message }]
}
