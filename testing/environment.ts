/** The first super-admin of every service under test. */
export const testAdmin = { email: 'admin@example.com', password: 'a long password for tests' } as const

/** The minimum that a service needs to start: a free port on this machine, a secret, a known first admin. */
export const testEnvironment: Readonly<Record<string, string>> = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  // Requests of tests must not be refused because the machine is busy.
  SVC_OVERLOAD_ENABLED: 'false',
  SVC_DATABASE_WAIT_TIMEOUT_MS: '30000',
  JWT_SECRET: 'a secret that only tests know, 32+',
  DEFAULT_ADMIN_EMAIL: testAdmin.email,
  DEFAULT_ADMIN_PASSWORD: testAdmin.password,
}
