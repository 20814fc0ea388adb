# frozen_string_literal: true

# The line protocol of blake2btest (subprocess/PROTOCOL.md), for Ruby's ports.
module Protocol
  LINE = 1 << 20 # bytes in a request
  PIECE = 1 << 27 # bytes in one call of update

  # The port has no way to be asked that.
  class Unsupported < StandardError; end

  module_function

  # Answers requests until the input ends.
  #
  # The block is given the keys that are in the request, of those that the port
  # has, among size, key, salt and person. It returns a state with update(data)
  # and digest, and reset, if the port's API has it. clone tells whether the API
  # has copies, by dup.
  def serve(name, version, keys:, clone: false, limit: 1 << 33, &make)
    name = ENV["ADAPTER_NAME"] unless ENV.fetch("ADAPTER_NAME", "").empty?
    $stdin.binmode
    $stdout.binmode
    $stdout.sync = true
    while (line = $stdin.gets)
      begin
        words = answer(line, make, keys, clone, limit) || ["name=#{name}", "version=#{version}", "protocol=1"]
        text = ["ok", *words].join(" ")
      rescue Unsupported => e
        text = "unsupported #{printable(e.message)}"
      rescue StandardError, NotImplementedError, NoMemoryError => e
        text = "error #{printable("#{e.class}: #{e.message}")}"
      end
      $stdout.write("#{text}\n")
    end
  end

  def printable(message)
    message.lines.first.to_s.chomp.b.gsub(/[^ -~]/n, "?")[0, 200]
  end

  # Returns the words of the answer, nil for about.
  def answer(line, make, keys, clone, limit)
    raise ArgumentError, "line of more than #{LINE} bytes" if line.bytesize > LINE + "\r\n".bytesize

    words = line.chomp.split(/ /, -1)
    raise ArgumentError, "empty line" if words.empty?

    verb, *words = words
    colon = words.index(":")
    pairs = words[0, colon || words.size]
    steps = colon ? words[colon + 1..] : []
    case verb
    when "about"
      parse_keys(pairs, [])
      raise ArgumentError, "about takes no steps" if colon
    when "sum"
      sum(make, parse_keys(pairs, keys), steps.map { |word| parse_step(word) }, clone, limit)
    else
      raise Unsupported, "verb #{verb}"
    end
  end

  def parse_keys(pairs, keys)
    pairs.each_with_object({}) do |pair, given|
      key, value = pair.split("=", 2)
      raise ArgumentError, "#{pair.inspect} is not key=value" unless value

      key = key.to_sym
      raise ArgumentError, "key #{key} given twice" if given.key?(key)
      raise Unsupported, "key #{key}" unless keys.include?(key)

      given[key] = key == :size ? parse_number(value, 32) : parse_hex(value)
    end
  end

  def parse_number(digits, bits)
    raise ArgumentError, "#{digits.inspect} is not a decimal number" unless /\A(0|[1-9][0-9]*)\z/.match?(digits)
    raise ArgumentError, "#{digits} is above #{(1 << bits) - 1}" if digits.size > 20 || digits.to_i >> bits != 0

    digits.to_i
  end

  def parse_hex(digits)
    raise ArgumentError, "#{digits.inspect} is not hex in lower case" unless /\A([0-9a-f]{2})*\z/.match?(digits)

    [digits].pack("H*")
  end

  # Returns bytes and how often to write them, or the step's name and nil.
  def parse_step(word)
    return [word, nil] if /[g-z]/i.match?(word)
    return ["".b, 1] if word == "-"

    digits, count = word.split("*", 2)
    data = parse_hex(digits.to_s)
    times = count ? parse_number(count, 64) : 1
    raise ArgumentError, "#{word.inspect} writes nothing: no bytes are -" if data.empty? || times.zero?

    [data, times]
  end

  def sum(make, params, steps, clone, limit)
    state = make.call(**params)
    aside = nil
    digests = []
    total = 0
    [*steps, ["sum", nil]].each do |step, times|
      if times
        total += step.bytesize * times
        raise Unsupported, "a message above #{limit} bytes" if total > limit

        write(state, step, times)
        next
      end
      case step
      when "sum" then digests << state.digest.unpack1("H*")
      when "new" then aside = make.call(**params)
      when "swap"
        raise ArgumentError, "swap with no state aside" unless aside

        state, aside = aside, state
      when "reset"
        raise Unsupported, "reset" unless state.respond_to?(:reset)

        state.reset
      when "clone"
        raise Unsupported, "clone" unless clone

        aside = state.dup
      else raise Unsupported, "step #{step}"
      end
    end
    digests
  end

  def write(state, data, times)
    whole = [PIECE / [data.bytesize, 1].max, 1].max
    if times > whole
      piece = data * whole
      while times > whole
        state.update(piece)
        times -= whole
      end
    end
    state.update(data * times)
  end
end
