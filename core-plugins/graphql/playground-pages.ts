/** Where the sign-in page leaves the token for the playground; gone when the tab is closed. */
const storageKey = 'mortise-graphql-token'

const example = `# Mortise over GraphQL. The panel on the right shows what there is.
# { articles(limit: 5, sort: "created_at:desc") { data { id title } pagination { total } } }

{
  __schema {
    queryType {
      fields {
        name
        description
      }
    }
  }
}
`

/**
 * Starts the playground. With a token it sends POST; without one, for those whom the panel's cookie has let in, GET,
 * which takes the cookie and runs no mutations. Nothing of it is kept in the browser: it holds the token.
 */
export function startScript(apiPrefix: string): string {
  return `const token = sessionStorage.getItem('${storageKey}')
AltairGraphQL.init({
  endpointURL: location.origin + '${apiPrefix}/graphql',
  initialHttpMethod: token ? 'POST' : 'GET',
  initialHeaders: token ? { authorization: 'Bearer ' + token } : {},
  initialQuery: ${JSON.stringify(example)},
  initialSettings: { 'schema.reloadOnStart': true, enableExperimental: false, 'alert.disableWarnings': true, 'banners.disable': true, 'alert.disableUpdateNotification': true },
  preserveState: false,
  disableAccount: true,
})
`
}

const signInStyles = `
  body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0; background: #f6f5f2; color: #22201d }
  form { background: #fff; padding: 2rem; border-radius: 8px; box-shadow: 0 1px 4px #0002; width: 18rem }
  h1 { font-size: 1.25rem; margin: 0 0 1rem }
  label { display: block; margin-bottom: .75rem }
  input { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem .5rem; border: 1px solid #b8b2a7; border-radius: 4px }
  button { font: inherit; width: 100%; padding: .5rem; border: 0; border-radius: 4px; background: #7a4a21; color: #fff; cursor: pointer }
  [role=alert] { color: #a3200d; min-height: 1.5em; margin: .5rem 0 0 }
`

/** Signing in sets the session cookie, by which the page is let in, and leaves the token for its requests. */
export function signInPage(apiPrefix: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Sign in · Mortise GraphQL</title>
<style>${signInStyles}</style>
</head>
<body>
<form>
  <h1>Mortise GraphQL</h1>
  <label>E-mail or username <input name="identifier" autocomplete="username" required autofocus></label>
  <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
  <button>Sign in</button>
  <p role="alert"></p>
</form>
<script src="${apiPrefix}/graphql/assets/mortise-sign-in.js"></script>
</body>
</html>
`
}

export function signInScript(apiPrefix: string): string {
  return `const form = document.querySelector('form')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const response = await fetch('${apiPrefix}/admin/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  })
  const body = await response.json()
  if (response.ok) {
    sessionStorage.setItem('${storageKey}', body.data.token)
    location.assign('${apiPrefix}/graphql')
  } else document.querySelector('[role=alert]').textContent = body.error.message
})
`
}
