import { createHash } from 'node:crypto'
import { htmlPage, type Reply } from '../../../foundation/http/http.ts'

const styles = `
  body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0; background: #f6f5f2; color: #22201d }
  form { background: #fff; padding: 2rem; border-radius: 8px; box-shadow: 0 1px 4px #0002; width: 18rem }
  h1 { font-size: 1.25rem; margin: 0 0 1rem }
  label { display: block; margin-bottom: .75rem }
  input { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem .5rem; border: 1px solid #b8b2a7; border-radius: 4px }
  button { font: inherit; width: 100%; padding: .5rem; border: 0; border-radius: 4px; background: #7a4a21; color: #fff; cursor: pointer }
  [role=alert] { color: #a3200d; min-height: 1.5em; margin: .5rem 0 0 }
`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The API prefix of the service, and the page to continue at after the sign-in. */
export interface SignIn {
  readonly apiPrefix: string
  /** The path to continue at. */
  readonly next: string
}

/**
 * A page on which an admin user signs in to a tool of the service. Signing in sets the session cookie.
 * @param title the tool's name; HTML
 * @param script the path from which the page's CSP allows `signInScript` to be loaded
 */
export function signInPage(title: string, script: string): Reply {
  return htmlPage(htmlOf(title, script), policy)
}

function htmlOf(title: string, script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Sign in · ${title}</title>
<style>${styles}</style>
</head>
<body>
<form>
  <h1>${title}</h1>
  <label>E-mail or username <input name="identifier" autocomplete="username" required autofocus></label>
  <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
  <button>Sign in</button>
  <p role="alert"></p>
</form>
<script src="${script}"></script>
</body>
</html>
`
}

/** The script of `signInPage`; a separate file, as the page's CSP allows no inline scripts. */
export function signInScript({ apiPrefix, next }: SignIn): string {
  return `const form = document.querySelector('form')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const response = await fetch('${apiPrefix}/admin/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  })
  const body = await response.json()
  if (response.ok) location.assign('${next}')
  else document.querySelector('[role=alert]').textContent = body.error.message
})
`
}
