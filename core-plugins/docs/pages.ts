/** The viewer; its script and styles come from this server, never from elsewhere. */
export function viewerPage(apiPrefix: string): string {
  return page({
    title: 'Mortise API',
    head: `<link rel="stylesheet" href="${apiPrefix}/_docs/assets/swagger-ui.css">`,
    body: '<div id="viewer"></div>',
    scripts: [`${apiPrefix}/_docs/assets/swagger-ui-bundle.js`, `${apiPrefix}/_docs/assets/viewer.js`],
  })
}

export function viewerScript(apiPrefix: string): string {
  return `SwaggerUIBundle({
  url: '${apiPrefix}/_docs/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: true,
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

/** Signing in sets the session cookie, which the viewer accepts. */
export function signInPage(apiPrefix: string): string {
  return page({
    title: 'Sign in · Mortise API',
    head: `<style>${signInStyles}</style>`,
    body: `<form>
  <h1>Mortise API</h1>
  <label>E-mail or username <input name="identifier" autocomplete="username" required autofocus></label>
  <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
  <button>Sign in</button>
  <p role="alert"></p>
</form>`,
    scripts: [`${apiPrefix}/_docs/assets/sign-in.js`],
  })
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
  if (response.ok) location.assign('${apiPrefix}/_docs')
  else document.querySelector('[role=alert]').textContent = (await response.json()).error.message
})
`
}

interface Page {
  readonly title: string
  readonly head: string
  readonly body: string
  readonly scripts: readonly string[]
}

function page({ title, head, body, scripts }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
${scripts.map((source) => `<script src="${source}"></script>`).join('\n')}
</body>
</html>
`
}
