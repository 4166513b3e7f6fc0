/** The purpose and token of a mailed link. */
export interface PasswordLink {
  readonly purpose: 'invitation' | 'reset'
  readonly token: string
}

/** Takes the mailed link from the URL, if any, and removes its token from the URL, since browsers store URLs in the history. */
export function takePasswordLink(): PasswordLink | undefined {
  const [, purpose, token = ''] = /^#(invitation|reset)=([\w-]+)$/.exec(location.hash) ?? []
  if (purpose !== 'invitation' && purpose !== 'reset') return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return { purpose, token }
}
