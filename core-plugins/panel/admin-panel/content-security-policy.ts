/** Policies of libraries that make HTML from text that they have cleaned, and the panel's own for rich text. */
const trustedTypes = ['mortise-richtext', 'ProseMirrorClipboard', 'dompurify']

/**
 * What the panel's pages may do: run and ask this origin only, frame previews only and be framed by nobody, and make no
 * HTML from plain strings. Pictures may come from anywhere by https, because themes and content name them. `nonce` is for
 * the few style elements that the component library adds, `framed` are the origins of previews.
 */
export function contentSecurityPolicy(nonce: string, framed: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    "font-src 'self'",
    ...(framed.length === 0 ? [] : [`frame-src ${framed.join(' ')}`]),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes.join(' ')}`,
  ].join('; ')
}
