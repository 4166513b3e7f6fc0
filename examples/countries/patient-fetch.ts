const mostAttempts = 5

/** Waits as long as the service says if it limits the rate of requests. */
export const patientFetch: typeof fetch = async (input, init) => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(input, init)
    if (response.status !== 429 || attempt === mostAttempts) return response
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}
