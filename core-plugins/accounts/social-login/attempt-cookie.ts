import { attemptLifetimeMs } from './attempt.ts'

/** The cookie that binds a sign-in to the browser in which it began. */
export interface AttemptCookie {
  set(value: string): string
  clear(): string
  /** The cookie that the browser has sent. */
  read(header: string | undefined): string | undefined
}

/**
 * SameSite=Lax, because the provider's page redirects back here. If the callback uses https, the name begins with
 * `__Host-`: browsers then let no other host of the domain set it, nor anybody on an unencrypted connection.
 */
export function attemptCookie(provider: string, redirectUri: string): AttemptCookie {
  const isSecure = redirectUri.startsWith('https:')
  const name = `${isSecure ? '__Host-' : ''}mortise_social_${provider}`
  const write = (value: string, maxAgeSeconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    set: (value) => write(value, attemptLifetimeMs / 1000),
    clear: () => write('', 0),
    read(header = '') {
      const pair = header.split(/;\s*/).find((each) => each.startsWith(`${name}=`))
      return pair?.slice(name.length + 1)
    },
  }
}
