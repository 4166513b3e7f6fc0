export interface PageParts {
  readonly apiPrefix: string
  /** The folder of its script and styles. */
  readonly base: string
  /** Of the policy that the page is sent with. */
  readonly nonce: string
}

/** The page of the playground, whose script draws everything. */
export function playgroundPage({ apiPrefix, base, nonce }: PageParts): string {
  return `<!doctype html>
<html lang="en" data-api="${apiPrefix}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta property="csp-nonce" nonce="${nonce}">
<link rel="icon" href="data:,">
<title>GraphQL · Mortise</title>
<link rel="stylesheet" href="${base}/playground.css">
<link rel="stylesheet" href="${apiPrefix}/admin/theme.css">
<script type="module" src="${base}/playground.js"></script>
</head>
<body>
<noscript>The playground needs JavaScript.</noscript>
</body>
</html>
`
}

/** It runs its own script and asks this origin only, is framed by nobody, and makes no HTML from text. */
export const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // The editor adds its styles by elements with the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
