import { connect, type Row } from './db'

const db = connect('pg://shop')

export async function names(): Promise<string[]> {
  const rows: Row[] = await db.query('select * from hats')
  return rows.map(row => row.name)
}
