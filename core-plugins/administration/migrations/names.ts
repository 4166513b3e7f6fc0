import { isReservedInComponents, isReservedInTypes, snakeCase } from '../../foundation/schemas/schemas.ts'

/** Names of attributes that are allowed here, each once. */
export class AttributeNames {
  readonly #isInComponent: boolean
  readonly #taken = new Set<string>()

  constructor({ isInComponent }: { readonly isInComponent: boolean }) {
    this.#isInComponent = isInComponent
  }

  /** The name itself wherever that is possible. */
  take(name: string, isReference: boolean): string {
    const allowed =
      name
        .replace(/[^A-Za-z0-9_]/g, '_')
        .replace(/^[^A-Za-z]+/, '')
        .slice(0, 50) || 'field'
    for (let attempt = 0; ; attempt += 1) {
      const candidate = attempt === 0 ? allowed : `${allowed}Value${attempt === 1 ? '' : attempt}`
      const stored = isReference
        ? [snakeCase(candidate), `${snakeCase(candidate)}_id`]
        : [snakeCase(candidate)]
      if (this.#isReserved(candidate) || stored.some((each) => this.#taken.has(each))) continue
      for (const each of stored) this.#taken.add(each)
      return candidate
    }
  }

  #isReserved(name: string): boolean {
    if (this.#isInComponent) return isReservedInComponents(name) || name.startsWith('__')
    return isReservedInTypes(name) || snakeCase(name) === 'has_draft' || snakeCase(name) === 'uuid'
  }
}

const ownTypes = ['user', 'users', 'media', 'media-files', 'media-folder', 'media-folders', 'role', 'roles']

/** The name of a type here: its own, unless a type of the service has that. */
export function typeName(name: string): string {
  const allowed =
    name
      .replace(/[^A-Za-z0-9_-]/g, '-')
      .replace(/^[^A-Za-z]+/, '')
      .slice(0, 36) || 'type'
  return ownTypes.includes(allowed) ? `site-${allowed}` : allowed
}

/** The uid of a component here; hyphens and letters are the same there. */
export function componentName(uid: string): string {
  const [category = '', ...rest] = uid.split('.')
  return `${typeName(category)}.${typeName(rest.join('-'))}`
}
