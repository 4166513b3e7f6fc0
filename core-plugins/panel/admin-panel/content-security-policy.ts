/** Trusted Types policies: of libraries that create HTML from sanitised text, and the panel's own for rich text. */
const trustedTypes = ['mortise-richtext', 'ProseMirrorClipboard', 'dompurify']

/**
 * The Content Security Policy of the panel's pages: scripts and requests only to this origin, frames only for previews, no
 * embedding by other pages, and no HTML from plain strings. Pictures may come from any https URL, because themes and content name
 * them. `nonce` is for the few style elements that the component library adds, `framed` are the origins of previews.
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
