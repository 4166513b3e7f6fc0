import type { Draft } from '../draft/draft.ts'

type Problems = Draft['problems']

/** The problems found in a file: of the file itself, and of its fields by name. */
export function problemsAt(problems: Problems, path: string) {
  const here = problems.filter(({ file }) => file === path)
  const ofField = new Map<string, Problems>()
  for (const problem of here) {
    const field = fieldAt(problem.pointer)
    if (field !== undefined) ofField.set(field, [...(ofField.get(field) ?? []), problem])
  }
  return { own: here.filter(({ pointer }) => fieldAt(pointer) === undefined), ofField }
}

/** The field in a JSON pointer. */
function fieldAt(pointer: string): string | undefined {
  const [, name] = /^\/attributes\/([^/]+)/.exec(pointer) ?? []
  return name?.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The option in a JSON pointer, such as `maxLength`. */
export function optionAt(pointer: string): string | undefined {
  return /^\/attributes\/[^/]+\/([^/]+)/.exec(pointer)?.[1]
}
