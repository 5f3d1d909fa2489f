import { z } from "zod";
import { acceptedForms } from "../../core/accepted-form.ts";

const Cursor = z.string().min(1);
acceptedForms.add(Cursor, { text: "the cursor of the page before, exactly as received" });

export const pageInput = {
  limit: z.int().min(1).max(100).default(25),
  cursor: Cursor.optional(),
};

export const PageInfo = z.object({ cursor: z.string().nullable(), has_more: z.boolean() });

export const pageOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), page: PageInfo });

export interface Page<T> {
  data: T[];
  page: { cursor: string | null; has_more: boolean };
}

/** A list that is never paged. */
export const completeList = <T>(data: T[]): Page<T> => ({ data, page: { cursor: null, has_more: false } });
