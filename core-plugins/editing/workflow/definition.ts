import { StartupError, type StartupProblem } from '../../../kernel/index.ts'
import type { Schemas, TypeProblem } from '../../foundation/schemas/schemas.ts'
import type { Workflow, WorkflowState, WorkflowTransition } from './workflow.ts'

/** `options.workflow` of a schema file, whose shape the schemas plugin has checked. */
interface WorkflowFile {
  readonly enabled?: boolean
  readonly initialState?: string
  readonly states?: readonly StateFile[]
  readonly transitions?: readonly TransitionFile[]
}

interface StateFile {
  readonly name: string
  readonly label?: string
  readonly color?: string
  readonly publishable?: boolean
}

interface TransitionFile {
  readonly from: string
  readonly to: string
  readonly label?: string
  readonly roles?: readonly string[]
}

/** The place in `options.workflow`, the problem, and how to fix it. */
type Problem = readonly [at: string, message: string, remedy: string]

/**
 * The workflows of all content types that enable one, by type name.
 * @throws StartupError with the problems of all of them
 */
export function readWorkflows({ types }: Schemas): ReadonlyMap<string, Workflow> {
  const problems = workflowProblems({ types })
  if (problems.length > 0)
    throw new StartupError('The workflows of the schemas cannot be used:', problems.map(inReport))
  return new Map(enabledIn({ types }).map(([name, file]) => [name, compile(file)]))
}

/** The problems of the workflows of all content types that enable one. */
export function workflowProblems({ types }: Pick<Schemas, 'types'>): TypeProblem[] {
  return enabledIn({ types }).flatMap(([type, file]) =>
    problemsIn(file).map(([at, message, remedy]) => ({
      ...{ type, message, remedy },
      at: `options.workflow${at === '' ? '' : `.${at}`}`,
    })),
  )
}

function enabledIn({ types }: Pick<Schemas, 'types'>): (readonly [type: string, file: WorkflowFile])[] {
  return [...types.values()]
    .map(({ name, options }) => [name, (options.workflow ?? {}) as WorkflowFile] as const)
    .filter(([, { enabled }]) => enabled === true)
}

function inReport({ type, at, message, remedy }: TypeProblem): StartupProblem {
  return { subject: `${type}.json: ${at}`, message, remedy }
}

function problemsIn(file: WorkflowFile): Problem[] {
  const { states = [], transitions = [] } = file
  if (states.length === 0)
    return [['states', 'is missing or empty', 'declare the states that entries go through']]
  const names = states.map(({ name }) => name)
  return [
    ...names.flatMap((name, index) => stateProblems(name, index, names)),
    ...initialStateProblems(file, names),
    ...transitions.flatMap((transition, index) => transitionProblems(transition, index, names)),
    ...doubleTransitions(transitions),
  ]
}

const maxNameLength = 64

function stateProblems(name: string, index: number, names: readonly string[]): Problem[] {
  const at = `states.${index}.name`
  if (names.indexOf(name) < index) return [[at, `is ${name} again`, 'give each state a name of its own']]
  if (name.length <= maxNameLength) return []
  return [[at, 'is too long', `use at most ${maxNameLength} characters; the label may be longer`]]
}

function initialStateProblems({ initialState }: WorkflowFile, names: readonly string[]): Problem[] {
  if (initialState !== undefined && names.includes(initialState)) return []
  const message =
    initialState === undefined ? 'is missing' : `is ${initialState}, which is not among the states`
  return [['initialState', message, `use one of ${names.join(', ')}`]]
}

function transitionProblems(
  { from, to, roles }: TransitionFile,
  index: number,
  names: readonly string[],
): Problem[] {
  const ends = Object.entries({ from, to }).flatMap(([end, name]): Problem[] =>
    names.includes(name)
      ? []
      : [
          [
            `transitions.${index}.${end}`,
            `is ${name}, which is not among the states`,
            `use one of ${names.join(', ')}`,
          ],
        ],
  )
  if (from === to)
    ends.push([`transitions.${index}`, `goes from ${from} to ${to}`, 'remove it, or correct one of them'])
  if (roles === undefined || (roles.length > 0 && !roles.includes(''))) return ends
  const remedy = 'name roles, or leave it out so that everybody may who may update the entry'
  return [...ends, [`transitions.${index}.roles`, 'names no role', remedy]]
}

function doubleTransitions(transitions: readonly TransitionFile[]): Problem[] {
  const keys = transitions.map(({ from, to }) => JSON.stringify([from, to]))
  return keys.flatMap((key, index): Problem[] => {
    const first = keys.indexOf(key)
    if (first === index) return []
    const { from, to } = transitions[index] ?? { from: '', to: '' }
    const message = `goes from ${from} to ${to}, as transitions.${first} does`
    return [[`transitions.${index}`, message, 'name all roles in one of them, and remove the other']]
  })
}

function compile({ initialState = '', states = [], transitions = [] }: WorkflowFile): Workflow {
  const byName = new Map(states.map((state) => [state.name, completeState(state)]))
  return {
    states: byName,
    initialState: byName.get(initialState) ?? completeState({ name: initialState }),
    transitions: transitions.map(completeTransition),
    guardsPublishing: states.some(({ publishable }) => publishable === true),
  }
}

function completeState({ name, label = name, color = '', publishable = false }: StateFile): WorkflowState {
  return { name, label, color: color === '' ? null : color, publishable }
}

function completeTransition({ from, to, label = to, roles }: TransitionFile): WorkflowTransition {
  return { from, to, label, ...(roles === undefined ? {} : { roles: new Set(roles) }) }
}
