import { Table } from "../../parts/table.tsx";
import type { Operation, OperationDetails, Parameter, Schema } from "./library.ts";
import { exampleText } from "./example-text.ts";
import { fieldsOf, typeOf, type SchemaField } from "./schema-fields.ts";

export interface OperationRoute {
  readonly method: string;
  /** With the prefix of its group. */
  readonly path: string;
  readonly operation: Operation;
}

export function OperationSection({ method, path, operation }: OperationRoute) {
  const { operationId, summary } = operation;
  const { parameters = [], requestBody, responses } = operation.details();
  const body = requestBody?.content["application/json"];
  const success = Object.entries(responses).find(([status]) => Number(status) < 300);
  const answer = success?.[1].content?.["application/json"];
  return (
    <section class="card operation" id={operationId}>
      <h2>
        <a class="anchor" href={`#${operationId}`}>
          {summary}
        </a>
      </h2>
      <p class="route">
        <code class="method">{method}</code> <code>{path}</code>
      </p>
      <p class="small quiet">{rightsOf(operation)}</p>
      {parameters.length > 0 && <Parameters of={parameters} />}
      {body?.schema && <Fields title="Body" schema={body.schema} />}
      {body?.example !== undefined && <Example title="Body, for example" value={body.example} />}
      {answer?.schema && (
        <details>
          <summary>Answer {success?.[0]}: its fields</summary>
          <Fields title="Answer" schema={answer.schema} isBare />
        </details>
      )}
      {answer?.example !== undefined && (
        <details>
          <summary>Answer {success?.[0]}, for example</summary>
          <Example title="Answer" value={answer.example} isBare />
        </details>
      )}
      <Errors of={responses} />
    </section>
  );
}

function rightsOf(operation: Operation): string {
  const scope = operation["x-required-scope"];
  const plan = operation["x-required-plan-feature"];
  const isOpen = operation.security.length === 0 || operation.security.some((each) => !("bearer" in each));
  return [
    scope === undefined ? null : `Scope ${scope}`,
    isOpen ? (scope === undefined ? "No credential" : "Without a token: the public part") : null,
    !isOpen && scope === undefined ? "Any valid credential" : null,
    plan === undefined ? null : `A plan with ${plan}`,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

function Parameters({ of }: { of: readonly Parameter[] }) {
  return (
    <Table
      caption="Parameters"
      rows={of}
      rowKey={({ name }) => name}
      columns={[
        { head: "Parameter", cell: ({ name }) => <code>{name}</code> },
        { head: "In", cell: (row) => (row.required ? `${row.in}, required` : row.in) },
        { head: "Takes", cell: ({ description, schema }) => takes(description, schema) },
      ]}
    />
  );
}

/** Without "Takes", which the heading says. */
function takes(description: string | undefined, schema: Schema): string {
  const words = description?.replace(/^Takes /, "").replace(/\.$/, "") ?? typeOf(schema);
  return schema.default === undefined ? words : `${words}; ${JSON.stringify(schema.default)} when left out`;
}

function Fields({ title, schema, isBare = false }: { title: string; schema: Schema; isBare?: boolean }) {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return <p class="small">{`${title}: ${typeOf(schema)}.`}</p>;
  return (
    <>
      {!isBare && <h3>{title}</h3>}
      <Table
        caption={title}
        rows={fields}
        rowKey={({ path, type }) => `${path} ${type}`}
        columns={[
          { head: "Field", cell: ({ path }: SchemaField) => <code>{path}</code> },
          {
            head: "Type",
            plain: true,
            cell: ({ type, isOptional }) => (isOptional ? `${type}; may be left out` : type),
          },
        ]}
      />
    </>
  );
}

function Example({ title, value, isBare = false }: { title: string; value: unknown; isBare?: boolean }) {
  return (
    <>
      {!isBare && <h3>{title}</h3>}
      <pre>
        <code>{exampleText(value)}</code>
      </pre>
    </>
  );
}

/** By status; each code links to its paragraph. */
function Errors({ of }: { of: OperationDetails["responses"] }) {
  const refused = Object.entries(of).filter(([status]) => Number(status) >= 400);
  return (
    <p class="small">
      <strong>Errors:</strong>{" "}
      {refused.map(([status, { description }]) => (
        <span key={status} class="codes">
          {status}{" "}
          {description.split(", ").map((code) => (
            <a key={code} href={`/docs/guides/errors#${code}`}>
              <code>{code}</code>
            </a>
          ))}
        </span>
      ))}
    </p>
  );
}
