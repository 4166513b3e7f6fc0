import type { DialectDefinition } from '../../dialect-definition.ts'
import { serverUrl } from '../server-url.ts'

export const mysql: DialectDefinition<'mysql'> = {
  name: 'mysql',
  products: ['MySQL', 'MariaDB'],
  isForDevelopment: false,
  schemes: ['mysql', 'mariadb'],
  exampleUrl: 'mysql://user:password@host/database',
  targetOf: (address) => serverUrl('mysql', address),

  async open({ target, ...options }) {
    const { MysqlDriver } = await import('./mysql-driver.ts')
    return MysqlDriver.open({ ...options, url: target })
  },

  async openSnapshot(source) {
    const { openMysqlSnapshot } = await import('./mysql-snapshot.ts')
    return openMysqlSnapshot(source)
  },
}
