/** What plugins share under a name. */
export type TokenKind = 'service' | 'hook' | 'extension point'

/**
 * The name of something that plugins share. Plugins meet by kind and `id`, not by the object: a plugin that
 * brings its own copy of a package still means the same service.
 */
export interface Token {
  readonly kind: TokenKind
  /** Unique in a process. */
  readonly id: string
  /** The version of the named service or point; tokens with different major versions do not match. */
  readonly version?: string
}

/** Further properties of a token. */
export interface TokenOptions {
  /**
   * The version of the contract, such as `2` or `2.1.0`: raise the major when plugins that were written for the
   * earlier one no longer work. A token without a version fits every version.
   */
  readonly version?: string
}

/** Creates a token. @throws Error for an id or version that cannot be one */
export function createToken<Kind extends TokenKind>(kind: Kind, id: string, { version }: TokenOptions = {}) {
  if (typeof id !== 'string' || id === '') throw new Error(`a ${kind} needs an id, such as \`shop:carts\``)
  if (version === undefined) return { kind, id }
  if (!versionPattern.test(version)) {
    throw new Error(`the version of the ${kind} ${id} must be like \`2\` or \`2.1.0\`, not ${version}`)
  }
  return { kind, id, version }
}

const versionPattern = /^\d+(\.\d+){0,2}$/

/** Whether a plugin that uses the one token works with what the other stands for. */
export function fits(used: Token, owned: Token): boolean {
  if (used.version === undefined || owned.version === undefined) return true
  return majorOf(used.version) === majorOf(owned.version)
}

const majorOf = (version: string) => Number.parseInt(version, 10)

/** A token and the plugin that uses it or has what it stands for. */
export interface Holder {
  readonly plugin: string
  readonly token: Token
}

/** What to tell about tokens that do not fit: what is wrong with the user, and the remedy. */
export function describeMisfit(
  user: Holder,
  owner: Holder,
): { readonly message: string; readonly remedy: string } {
  const { kind, id, version } = user.token
  return {
    message: `uses version ${version} of the ${kind} ${id}, and ${owner.plugin} has version ${owner.token.version}`,
    remedy: `install versions of ${user.plugin} and ${owner.plugin} that were made for each other`,
  }
}

/** `an extension point` */
export const withArticle = (kind: TokenKind) => `${kind === 'extension point' ? 'an' : 'a'} ${kind}`
