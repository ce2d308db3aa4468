package dev.tidemark.activities.index.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.index.object.Values;
import dev.tidemark.activities.index.query.Filter.Comparison;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Reads a filter from JSON: {@code {"and": [{"eq": {"city": "Bonn"}}, {"gte": {"age": 3}}]}}. Each
 * object names one operator; several properties under one are all meant. Bounded in depth and size.
 */
public final class FilterReader {
  private static final int MOST_NESTED = 10;
  private static final int MOST_PARTS = 1_000;
  private static final String OPERATORS =
      "and, or, not, eq, in, lt, lte, gt, gte, prefix and exists";

  private final ObjectType type;
  private int parts;

  private FilterReader(ObjectType type) {
    this.type = type;
  }

  /**
   * The filter that is written so.
   *
   * @throws QueryRefusal naming what is wrong
   */
  public static Filter read(ObjectType type, JsonNode json) {
    return new FilterReader(type).filter(json, 0);
  }

  private Filter filter(JsonNode json, int nested) {
    if (nested > MOST_NESTED) {
      throw refusal("it is nested more than " + MOST_NESTED + " deep");
    }
    if (!json.isObject()) {
      throw refusal("'" + shown(json) + "' must be an object of an operator and what it takes");
    }
    List<Filter> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> part : json.properties()) {
      all.add(part(part.getKey(), part.getValue(), nested + 1));
    }
    return all.size() == 1 ? all.get(0) : new Filter.And(all);
  }

  private Filter part(String operator, JsonNode operand, int nested) {
    count();
    return switch (operator) {
      case "and" -> new Filter.And(list(operator, operand, nested));
      case "or" -> new Filter.Or(list(operator, operand, nested));
      case "not" -> new Filter.Not(filter(operand, nested));
      case "exists" -> new Filter.Exists(property(text(operator, operand)).name());
      case "eq" -> each(operator, operand, this::eq);
      case "in" -> each(operator, operand, this::in);
      case "prefix" ->
          each(
              operator,
              operand,
              (property, value) -> new Filter.Prefix(property.name(), text("prefix", value)));
      case "lt", "lte", "gt", "gte" -> {
        Comparison comparison = Comparison.valueOf(operator.toUpperCase(Locale.ROOT));
        yield each(
            operator,
            operand,
            (property, value) ->
                new Filter.Compare(property.name(), comparison, value(property, value)));
      }
      default -> throw refusal("'" + operator + "' is no operator; there are " + OPERATORS);
    };
  }

  private List<Filter> list(String operator, JsonNode operand, int nested) {
    if (!operand.isArray()) {
      throw refusal("'" + operator + "' takes a list of filters");
    }
    List<Filter> filters = new ArrayList<>();
    for (JsonNode one : operand) {
      count();
      filters.add(filter(one, nested));
    }
    return filters;
  }

  private Filter each(
      String operator, JsonNode operand, BiFunction<Property, JsonNode, Filter> make) {
    if (!operand.isObject() || operand.isEmpty()) {
      throw refusal("'" + operator + "' takes an object of properties and values");
    }
    List<Filter> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> one : operand.properties()) {
      count();
      all.add(make.apply(property(one.getKey()), one.getValue()));
    }
    return all.size() == 1 ? all.get(0) : new Filter.And(all);
  }

  private Filter eq(Property property, JsonNode value) {
    return value.isNull()
        ? new Filter.Not(new Filter.Exists(property.name()))
        : Filter.eq(property.name(), value(property, value));
  }

  private Filter in(Property property, JsonNode values) {
    if (!values.isArray()) {
      throw refusal("'in' takes a list of values for '" + property.name() + "'");
    }
    List<Object> all = new ArrayList<>();
    for (JsonNode value : values) {
      count();
      all.add(value(property, value));
    }
    return new Filter.In(property.name(), all);
  }

  private static Object value(Property property, JsonNode json) {
    Object value;
    try {
      value = Values.fromJson(property, json);
    } catch (IllegalArgumentException e) {
      throw refusal(String.valueOf(e.getMessage()));
    }
    if (value == null) {
      throw refusal(
          "property '" + property.name() + "' is compared with null; use eq, or not and exists");
    }
    return value;
  }

  private Property property(String name) {
    return Properties.find(type, name, "filter");
  }

  private static String text(String operator, JsonNode operand) {
    if (!operand.isTextual()) {
      throw refusal("'" + operator + "' takes a text: " + shown(operand));
    }
    return operand.asText();
  }

  private void count() {
    if (++parts > MOST_PARTS) {
      throw refusal("it has more than " + MOST_PARTS + " operators, properties and values");
    }
  }

  private static String shown(JsonNode json) {
    String text = json.toString();
    return text.length() > 100 ? text.substring(0, 100) + "..." : text;
  }

  private static QueryRefusal refusal(String message) {
    return QueryRefusal.invalid("filter", "the filter cannot be read: " + message);
  }
}
