/** Talks to the database. */
import { Pool } from 'pg'

export interface Row {
  id: number
  name: string
}

export class Database {
  constructor(private pool: Pool) {}

  async query(text: string, limit = 10): Promise<Row[]> {
    return this.pool.query(text, [limit])
  }
}

export function connect(url: string): Database {
  return new Database(new Pool(url))
}
