import { isReservedInComponents, isReservedInTypes, snakeCase } from '../../foundation/schemas/schemas.ts'

/** Gives out attribute names that are valid and unique within a type. */
export class AttributeNames {
  readonly #isInComponent: boolean
  readonly #taken = new Set<string>()

  constructor({ isInComponent }: { readonly isInComponent: boolean }) {
    this.#isInComponent = isInComponent
  }

  /** Returns the name unchanged if it is valid and free. */
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

/** The name of the content type here: the same, unless a system type has it. */
export function typeName(name: string): string {
  const allowed =
    name
      .replace(/[^A-Za-z0-9_-]/g, '-')
      .replace(/^[^A-Za-z]+/, '')
      .slice(0, 36) || 'type'
  return ownTypes.includes(allowed) ? `site-${allowed}` : allowed
}

/** The uid of the component here. */
export function componentName(uid: string): string {
  const [category = '', ...rest] = uid.split('.')
  return `${typeName(category)}.${typeName(rest.join('-'))}`
}
